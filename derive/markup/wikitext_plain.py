"""Wikitext as plain text: links, templates, tags and entities of mwparserfromhell as what a reader of the page sees of them."""

import re
from collections.abc import Iterable, Iterator

from mwparserfromhell.nodes import Argument, ExternalLink, Heading, HTMLEntity, Node, Tag, Template, Text, Wikilink
from mwparserfromhell.nodes.extras import Parameter
from mwparserfromhell.wikicode import Wikicode

from derive.markup.links import Shown, linked, name_of, shown
from derive.markup.wikitext_hidden import HIDDEN
from derive.markup.wikitext_said import LISTS, said
from derive.text import normalise, squeeze

_QUOTES = re.compile(r"'{2,5}")
_MAGIC = re.compile(rf"{HIDDEN}|__[A-Z]{{3,30}}__|-\{{|\}}-|~{{3,5}}")
_UNSEEN = frozenset(
    "file image media category special datei bild kategorie fichier catégorie archivo imagen categoría immagine categoria ficheiro imagem "
    "bestand afbeelding plik kategoria файл изображение категория 文件 檔案 图像 圖像 分类 分類 ファイル 画像 カテゴリ 파일 분류".split()
)
"""Namespaces of which a link shows nothing, or a picture."""
_SISTERS = frozenset("b c commons d m meta n q s species v voy w wikibooks wikidata wikinews wikipedia wikiquote wikisource wikt wiktionary".split())
"""Prefixes of links to other wikis, besides languages."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,8})*$")
_SILENT_TAGS = frozenset({"ref", "references", "gallery", "imagemap", "math", "score", "timeline", "graph", "templatestyles", "hr", "section"})
_CELLS = frozenset({"td", "th", "caption"})
VERBATIM = frozenset({"nowiki", "pre", "code", "syntaxhighlight", "source"})
"""Tags whose content is no markup."""


def plain(code: Wikicode | Iterable[Node]) -> str:
    """Return wikitext as plain text on one line."""
    return shown_of(code).text


def shown_of(code: Wikicode | Iterable[Node]) -> Shown:
    """Return the same with the links to other pages in it."""
    return shown(marked(code))


def marked(code: Wikicode | Iterable[Node]) -> str:
    """Return wikitext as text with its line ends and marked links, under the rules of a body."""
    nodes = code.nodes if isinstance(code, Wikicode) else code
    return "".join(part for node in nodes for part in node_text(node))


def node_text(node: Node) -> Iterator[str]:
    """Yield what is seen of a node, links marked."""
    match node:
        case Text():
            yield _MAGIC.sub("", _QUOTES.sub("", str(node.value)))
        case HTMLEntity():
            yield normalise(f"|{node.normalize()}|")[1:-1]  # white space stays, what no body may hold does not
        case Wikilink():
            yield _link(node)
        case ExternalLink():
            yield marked(node.title) if node.title is not None else "" if node.brackets else str(node.url)
        case Template():
            yield template_text(node)
        case Tag():
            yield _tag(node)
        case Argument():
            yield marked(node.default) if node.default is not None else ""
        case _:
            assert isinstance(node, Heading)
            yield marked(node.title)


def _link(node: Wikilink) -> str:
    title = str(node.title).strip()
    prefix, colon, rest = title.removeprefix(":").partition(":")
    if colon and not title.startswith(":"):
        if prefix.strip().casefold() in _UNSEEN:
            return ""
        if node.text is None and _LANGUAGE.match(prefix.strip()):
            return ""
    text = marked(node.text) if node.text is not None else ""
    if not text.strip():
        text = plain(node.title).removeprefix(":") if node.text is None else re.sub(r"\s*\([^()]*\)$", "", rest or prefix)
    return linked(text, _page(plain(node.title)))


def _page(title: str) -> str:
    """Return the page of this wiki that a title names; "" if it is a file, a category, a page of another wiki or an anchor."""
    name = name_of(title.replace("_", " ")).removeprefix(":").lstrip()
    prefix, colon, _ = name.partition(":")
    elsewhere = prefix.strip().casefold() in _UNSEEN | _SISTERS or _LANGUAGE.match(prefix.strip())
    return "" if colon and elsewhere else name


def _tag(node: Tag) -> str:
    name = str(node.tag).strip().casefold()
    if name == "br":
        return "\n"
    if name in _SILENT_TAGS or node.contents is None:
        return ""
    if name in VERBATIM:
        return str(node.contents).replace(HIDDEN, "")
    return f" {marked(node.contents)} " if name in _CELLS else marked(node.contents)


def template_text(template: Template) -> str:
    """Return what a template in running text says, nothing if that is not known. Dates are ISO dates; the items of a list stand on lines."""
    if template_name(template) in LISTS:
        return "\n".join(line.lstrip("*# ") for param in positional(template) for line in marked(param.value).split("\n"))
    values = [plain(param.value) for param in positional(template)]
    text = said(plain(template.name), values, {plain(param.name): plain(param.value) for param in named(template)})
    if text in values:  # what is seen is a value as it stands, with its links
        return squeeze(marked(positional(template)[values.index(text)].value))
    return text


def template_name(template: Template) -> str:
    """Return the name under which a template is looked up."""
    return plain(template.name).replace("_", " ").casefold()


def positional(template: Template) -> list[Parameter]:
    """Return the parameters without a name; a name that is a number is none."""
    return [param for param in template.params if not param.showkey or str(param.name).strip().isdigit()]


def named(template: Template) -> list[Parameter]:
    """Return the parameters with a name."""
    return [param for param in template.params if param.showkey and not str(param.name).strip().isdigit()]
