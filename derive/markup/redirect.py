"""Bodies that only point elsewhere, as wikis write them in several languages."""

import re

_WORDS = (
    "REDIRECT|WEITERLEITUNG|REDIRECTION|REDIRECCIÓN|REDIRECCION|RINVIA|REDIRECIONAMENTO|DOORVERWIJZING|OMDIRIGERING|OMDIRIGER|OHJAUS|UUDELLEENOHJAUS|"
    "PRZEKIERUJ|TAM|PATRZ|ПЕРЕНАПРАВЛЕНИЕ|ПЕРЕНАПР|ПЕРЕНАПРАВЛЕННЯ|重定向|重新導向|转址|轉址|転送|リダイレクト|넘겨주기|تحويل|הפניה"
)
_REDIRECT = re.compile(rf"#\s?(?:{_WORDS})\s*:?\s*\[\[\s*:?([^\]|#\n]+?)\s*(?:[|#][^\]\n]*)?\]\](?P<rest>\s*)", re.IGNORECASE)


def redirect_of(text: str, *, whole: bool = True) -> str | None:
    """Return the title that a normalised body points to, if that is all it says; without `whole` more may follow, as categories do in a wiki."""
    found = _REDIRECT.match(text)
    return found[1] if found and (found.end() == len(text) or not whole) else None
