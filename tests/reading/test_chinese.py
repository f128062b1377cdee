"""Facts from Chinese prose, sentence by sentence: subject, predicate, object, polarity, scope and dates, and that what is not asserted is no fact."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.chinese_reader import names_in, tagger_version
from connectors.extractor import PatternExtractor
from connectors.spacy_extractor import SpacyExtractor
from derive.prose.antecedents import SURE
from derive.prose.chinese import Names, chinese_facts
from derive.prose.chinese_nouns import Lexicon
from derive.reading import parsed, reading_of
from derive.units import LONGEST
from schemas.fact import SELF, Fact, Moment, Period
from schemas.instant import iso
from schemas.version import Reading
from schemas.vocabulary import shipped

VOCABULARY = shipped()
LEXICON = Lexicon(VOCABULARY)
PATTERNS = PatternExtractor(VOCABULARY)


def plain(block: str) -> tuple[Fact, ...]:
    """Return the facts of a block as they are drawn where jieba is not installed."""
    return chinese_facts(block, Names(), LEXICON)


def tagged(block: str) -> tuple[Fact, ...]:
    return chinese_facts(block, names_in(block), LEXICON)


def day(moment: Moment | None) -> str:
    if moment is None:
        return ""
    return iso(moment.first)[:10] if isinstance(moment, Period) else moment.phrase


def said(fact: Fact) -> str:
    """Return a fact in one line: [not] subject | predicate | object [scope] [from start] [until end]."""
    scope = f" ({', '.join(fact.scope)})" if fact.scope else ""
    start = f" from {day(fact.dates.start)}" if fact.dates.start else ""
    end = f" until {day(fact.dates.end)}" if fact.dates.end else ""
    subject = "SELF" if fact.subject == SELF else fact.subject
    return f"{'not ' if fact.negated else ''}{subject} | {fact.predicate} | {fact.object}{scope}{start}{end}"


def sure(facts: Sequence[Fact]) -> list[str]:
    return [said(fact) for fact in facts if fact.confidence >= SURE]


STATED = {
    # roles
    "陈爱丽是港务局局长。": ["港务局 | headed by | 陈爱丽"],
    "港务局的局长是陈爱丽。": ["港务局 | headed by | 陈爱丽"],
    "港务局局长为王强。": ["港务局 | headed by | 王强"],
    "港务局局长由陈爱丽担任。": ["港务局 | headed by | 陈爱丽"],
    "港务局由陈爱丽担任局长。": ["港务局 | headed by | 陈爱丽"],
    "陈爱丽自2024年3月起担任港务局局长。": ["港务局 | headed by | 陈爱丽 from 2024-03-01"],
    "2024年3月1日起，陈爱丽任港务局代理局长。": ["港务局 | headed by | 陈爱丽 (acting) from 2024-03-01"],
    "王强于2025年1月1日接任港务局局长。": ["港务局 | headed by | 王强 from 2025-01-01"],
    "2024年5月，王强接替陈爱丽出任港务局局长。": ["港务局 | headed by | 王强 from 2024-05-01"],
    "陈爱丽就任默罗航运公司首席执行官。": ["默罗航运公司 | ceo | 陈爱丽"],
    "默罗航运公司总裁是托马斯·埃伯利。": ["默罗航运公司 | ceo | 托马斯·埃伯利"],
    "王强被任命为北港办事处主任。": ["北港办事处 | directed by | 王强"],
    "默罗航运公司任命王强为北港办事处副主任。": ["北港办事处 | directed by | 王强 (deputy)"],
    "李明当选为委员会主席。": ["委员会 | chaired by | 李明"],
    "李明在港务局担任局长。": ["港务局 | headed by | 李明"],
    "陈爱丽担任港务局局长和北港办事处主任。": ["港务局 | headed by | 陈爱丽", "北港办事处 | directed by | 陈爱丽"],
    "王强曾于2015年至2018年担任港务局局长。": ["港务局 | headed by | 王强 from 2015-01-01 until 2018-01-01"],
    # who runs, owns, keeps
    "北闸由闸门班运营。": ["北闸 | operated by | 闸门班"],
    "自2023年起，北闸由闸门班运营。": ["北闸 | operated by | 闸门班 from 2023-01-01"],
    "闸门班运营北闸。": ["北闸 | operated by | 闸门班"],
    "票务系统由陈爱丽负责。": ["票务系统 | managed by | 陈爱丽"],
    "票务系统由陈爱丽和王强共同负责。": ["票务系统 | jointly managed by | 陈爱丽", "票务系统 | jointly managed by | 王强"],
    "闸门班负责北闸的维护。": ["北闸 | maintained by | 闸门班"],
    "目前灯塔由王强管理。": ["灯塔 | managed by | 王强"],
    "巡逻队由李明领导。": ["巡逻队 | led by | 李明"],
    "默罗航运公司由马书岚于1998年创立。": ["默罗航运公司 | founded by | 马书岚 from 1998-01-01 until 1998-01-01", "默罗航运公司 | founded | 1998年"],
    "默罗航运公司收购了东湾渡轮公司。": ["东湾渡轮公司 | acquired by | 默罗航运公司"],
    # places, parts
    "引航站位于鸥湾。": ["引航站 | located in | 鸥湾"],
    "博物馆坐落于海关大楼。": ["博物馆 | located in | 海关大楼"],
    "默罗航运公司总部位于北港。": ["默罗航运公司 | based in | 北港"],
    "海鸥号隶属于默罗航运公司。": ["海鸥号 | member of | 默罗航运公司"],
    "默罗航运公司包括北港办事处、南港办事处和票务处。": [
        "北港办事处 | part of | 默罗航运公司",
        "南港办事处 | part of | 默罗航运公司",
        "票务处 | part of | 默罗航运公司",
    ],
    "票务系统依赖于Redis，使用PostgreSQL 15。": ["票务系统 | depends on | Redis", "票务系统 | uses | PostgreSQL 15"],
    # dates as values
    "港务局成立于1985年。": ["港务局 | founded | 1985年"],
    "港务局于1985年6月成立。": ["港务局 | founded | 1985年6月"],
    "3.2版发布于2024年5月6日。": ["3.2版 | released | 2024年5月6日"],
    "新码头于2023年启用。": ["新码头 | opens | 2023年"],
    "许可证有效期至2027年6月30日。": ["许可证 | ends | 2027年6月30日"],
    "《噪声条例》自2021年7月1日起施行。": ["噪声条例 | effective | 2021年7月1日"],
    "工单的截止日期是2024年3月1日。": ["工单 | due | 2024年3月1日"],
    # names that change
    "北港办事处于2024年6月更名为东港办事处。": ["北港办事处 | renamed to | 东港办事处 from 2024-06-01"],
    "2024年6月，票价改为10克朗。": ["票价 | value | 10克朗 from 2024-06-01"],
    "港务局局长改为王强。": ["港务局 | headed by | 王强"],
    # figures
    "灯塔的高度是 42 米。": ["灯塔 | height | 42 米"],
    "灯塔高度为四十二米。": ["灯塔 | height | 四十二米"],
    "灯塔高42米，宽8米。": ["灯塔 | height | 42米", "灯塔 | width | 8米"],
    "南闸宽约12米。": ["南闸 | width | 12米"],
    "将军桥长86米。": ["将军桥 | length | 86米"],
    "码头有三个泊位。": ["码头 | has | 三个泊位 (泊位)"],
    "海鸥号可载90辆汽车和400名乘客。": ["海鸥号 | carries | 90辆汽车 (汽车)", "海鸥号 | carries | 400名乘客 (乘客)"],
    "维林镇有18,450名居民。": ["维林镇 | has | 18,450名居民 (居民)"],
    "登录接口的超时时间为30秒。": ["登录接口 | timeout | 30秒"],
    "单程票价是9克朗。": ["单程票价 | value | 9克朗"],
    # what a thing is
    "海鸥号是一艘渡轮。": ["海鸥号 | is | 渡轮"],
    "默罗航运公司是一家运营渡轮的公司。": ["默罗航运公司 | is | 运营渡轮的公司"],
    "工单的状态是已关闭。": ["工单 | status | 已关闭"],
    # one subject for several clauses
    "港务局成立于1985年，总部位于北港，由陈爱丽领导。": ["港务局 | founded | 1985年", "港务局 | based in | 北港", "港务局 | led by | 陈爱丽"],
    "默罗航运公司位于北港，现任总裁是王强。": ["默罗航运公司 | located in | 北港", "默罗航运公司 | ceo | 王强"],
    "陈爱丽担任港务局局长，并负责北闸。": ["港务局 | headed by | 陈爱丽", "北闸 | managed by | 陈爱丽"],
    "陈爱丽担任港务局局长，自2024年3月1日起生效。": ["港务局 | headed by | 陈爱丽 from 2024-03-01"],
    "港务局位于北港， 由陈爱丽领导。": ["港务局 | located in | 北港", "港务局 | led by | 陈爱丽"],
    # small words and large ones
    "默罗航运公司是 一家运营渡轮的公司。": ["默罗航运公司 | is | 运营渡轮的公司"],
    "默罗航运公司收购了东湾渡轮公司了。": ["东湾渡轮公司 | acquired by | 默罗航运公司"],
    "北闸有电梯。": ["北闸 | have | 电梯"],
    "新合金不含钴。": ["not 新合金 | 含有 | 钴"],
    "王强是北港镇检查员。": ["北港镇 | 检查员 | 王强"],
    "李明担任港务局局长和志愿者。": ["港务局 | headed by | 李明"],
    "预算为三万。": ["SELF | budget | 三万"],
    "默罗航运公司包括北港办事处、南港办事处等。": ["北港办事处 | part of | 默罗航运公司", "南港办事处 | part of | 默罗航运公司"],
    "《海与灯》位于博物馆。": ["海与灯 | located in | 博物馆"],
    "默罗航运公司运营三艘渡轮。": ["默罗航运公司 | operates | 三艘渡轮"],
    "栈桥上有三个泊位。": ["栈桥 | has | 三个泊位 (泊位)"],
    "巡检班由周海生领导。": ["巡检班 | led by | 周海生"],
    "南港候船室于2021年5月启用，可容纳120名旅客。": ["南港候船室 | opens | 2021年5月", "南港候船室 | capacity | 120名旅客 (旅客)"],
    "海燕号由东岸造船厂于2012年建造。": ["海燕号 | built by | 东岸造船厂 from 2012-01-01 until 2012-01-01", "海燕号 | built | 2012年"],
    "票务系统由平台组开发和维护。": ["票务系统 | developed by | 平台组", "票务系统 | maintained by | 平台组"],
    "默罗航运公司，总部设在北港，成立于1950年。": ["默罗航运公司 | based in | 北港", "默罗航运公司 | founded | 1950年"],
    "默罗航运公司（成立于1985年）位于北港。": ["默罗航运公司 | located in | 北港"],
    "海鸥号的母港是北港，载客量为400人。": ["海鸥号 | home port | 北港", "海鸥号 | carries | 400人 (人)"],
    "港务局局长一职由王强担任。": ["港务局 | headed by | 王强"],
    "由于天气原因渡轮停航，位于北港。": [],
    # verbs of every day
    "票务系统部署在一号机房。": ["票务系统 | hosted on | 一号机房"],
    "北港面积为12平方公里。": ["北港 | area | 12平方公里"],
    "票务处于2025年3月迁至北港。": ["票务处 | migrated to | 北港 from 2025-03-01"],
    "北门天文台海拔1870米。": ["北门天文台 | elevation | 1870米"],
    "奥塞尔河流经北港。": ["奥塞尔河 | flows through | 北港"],
    "北桥被称为石桥。": ["北桥 | also known as | 石桥"],
    # two scripts in one sentence
    "The Merrow Line 由 Tomas Ebberly 负责运营。": ["The Merrow Line | operated by | Tomas Ebberly"],
    "南港办事处隶属于 The Merrow Line。": ["南港办事处 | member of | The Merrow Line"],
    # ended, denied
    "王强不再担任港务局局长。": ["not 港务局 | headed by | 王强 from today"],
    "陈爱丽于2024年5月辞去港务局局长职务。": ["not 港务局 | headed by | 陈爱丽 from 2024-05-01"],
    "王强卸任港务局副局长。": ["not 港务局 | headed by | 王强 (deputy) from today"],
    "海鸥号不属于默罗航运公司。": ["not 海鸥号 | member of | 默罗航运公司"],
    "北闸没有电梯。": ["not 北闸 | have | 电梯"],
    "票务系统并非由闸门班运营。": ["not 票务系统 | operated by | 闸门班"],
}

NOT_STATED = [
    "公司计划在2027年建造新码头。",
    "陈爱丽将出任港务局局长。",
    "王强拟任港务局局长。",
    "北闸可能由闸门班运营。",
    "新码头预计于2027年启用。",
    "据报道，陈爱丽担任港务局局长。",
    "王强表示，北闸由闸门班运营。",
    "公告称港务局成立于1985年。",
    "如果下雨，北闸由王强负责。",
    "若风速超过20米每秒，北闸由王强负责。",
    "北闸由谁负责？",
    "北闸是否由闸门班运营。",
    "港务局前局长是陈爱丽。",
    "王强曾任港务局局长。",
    "北闸由闸门班或巡逻队运营。",
    "一名乘客位于码头。",
    "他们运营北闸。",
    "局长陈爱丽可能不再担任港务局局长。",
    "北闸应由闸门班运营。",
    "负责北闸。",
    "因为天气，于是关闭。",
    "王强希望成为港务局局长。",
    "北闸可以由闸门班运营。",
    "海鸥号的高度是红色。",
    "工单的截止日期是雨天。",
    "默罗航运公司任命王强为朋友。",
    "由北区船队运营的渡轮停在那里。",
    "北闸由闸门班运营良好。",
    "北闸由王强担任。",
    "北闸由三人运营。",
    "非常重要而且非常困难并令许多年轻水手感到十分害怕担忧惊讶的古老说明是文件。",
    "博物馆关闭大门。",
    "港务局成立于。",
    "灯塔的颜色是红的。",
    "北闸为石闸。",
    "海鸥号是一艘红色的。",
    "海鸥号是红色的。",
    "李明担任局长。",
    "票务系统使用红色的。",
    "海鸥号和海燕号的船长是王强。",
    "灯塔高超过40米。",
    "引航须知写的是3米。",
]


@pytest.mark.parametrize(("sentence", "expected"), STATED.items())
@pytest.mark.parametrize("draw", [plain, tagged])
def test_a_sentence_states_these_facts_with_and_without_a_tagger(draw: object, sentence: str, expected: list[str]) -> None:
    facts = (plain if draw is plain else tagged)(sentence)
    assert sure(facts) == expected
    for fact in facts:
        assert 0 <= fact.start < fact.end <= len(sentence)
        assert fact.text.endswith("。")


@pytest.mark.parametrize("sentence", NOT_STATED)
@pytest.mark.parametrize("draw", [plain, tagged])
def test_what_is_planned_reported_asked_conditional_or_vague_is_no_fact(draw: object, sentence: str) -> None:
    assert sure((plain if draw is plain else tagged)(sentence)) == []


def test_what_a_thing_is_otherwise_counts_as_weak() -> None:
    (fact,) = plain("李明是好人。")
    assert (said(fact), fact.confidence) == ("李明 | is | 好人", 0.8)


def test_a_statement_reads_alone_and_its_span_is_where_it_stands() -> None:
    block = "港务局成立于1985年，总部位于北港。它由陈爱丽领导。"
    founded, based, led = plain(block)
    assert (founded.text, block[founded.start : founded.end]) == ("港务局成立于1985年。", "港务局成立于1985年")
    assert (based.text, block[based.start : based.end]) == ("港务局总部位于北港。", "总部位于北港")
    assert (led.text, block[led.start : led.end]) == ("港务局由陈爱丽领导。", "它由陈爱丽领导")


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("它位于北港。", ["SELF | located in | 北港"]),
        ("自2024年4月1日起，港务长为邓以宁。", ["SELF | harbour master | 邓以宁 from 2024-04-01"]),
        ("港务局位于北港。它由陈爱丽领导。", ["港务局 | located in | 北港", "港务局 | led by | 陈爱丽"]),
        ("港务局位于北港。该局由陈爱丽领导。", ["港务局 | located in | 北港", "港务局 | led by | 陈爱丽"]),
        ("北港是一个港口。该港口的水深为12米。", ["北港 | is | 港口", "北港 | depth | 12米"]),
        ("陈爱丽是港务局局长。她负责北闸。", ["港务局 | headed by | 陈爱丽", "北闸 | managed by | 陈爱丽"]),
        ("港务局位于北港，博物馆位于南港。它由陈爱丽领导。", ["港务局 | located in | 北港", "博物馆 | located in | 南港"]),
        ("东湾公司位于北港。西湾公司位于南港。该公司由陈爱丽领导。", ["东湾公司 | located in | 北港", "西湾公司 | located in | 南港"]),
        ("港务局位于北港。他负责北闸。", ["港务局 | located in | 北港"]),
        ("陈爱丽是港务局局长。王强是博物馆馆长。他负责北闸。", ["港务局 | headed by | 陈爱丽", "博物馆 | headed by | 王强"]),
    ],
)
def test_a_pronoun_stands_for_the_one_thing_that_was_spoken_of_or_the_fact_is_dropped(block: str, expected: list[str]) -> None:
    assert sure(plain(block)) == expected


def test_a_role_beside_a_name_holds_even_where_somebody_only_speaks() -> None:
    block = "港务局局长陈爱丽表示，北闸将关闭。"
    (fact,) = tagged(block)
    assert (said(fact), fact.text) == ("港务局 | headed by | 陈爱丽", "陈爱丽是港务局局长。")
    assert block[fact.start : fact.end] == "港务局局长陈爱丽"
    (looks,) = plain(block)
    assert said(looks) == said(fact)
    assert looks.confidence < SURE <= fact.confidence
    (bracketed, managed) = tagged("陈爱丽（港务局局长）管理票务处。")
    assert (said(bracketed), said(managed)) == ("港务局 | headed by | 陈爱丽", "票务处 | managed by | 陈爱丽")


def test_a_person_with_a_role_before_the_name_is_that_person() -> None:
    assert "北闸 | managed by | 王强" in sure(plain("港务局局长王强负责北闸。"))
    assert "灯塔 | managed by | 王强" in sure(tagged("灯塔由港务局局长王强管理。"))


@pytest.mark.parametrize("extractor", [PATTERNS, SpacyExtractor(VOCABULARY)], ids=["patterns", "spacy"])
def test_each_block_is_read_in_its_own_language(extractor: PatternExtractor) -> None:
    english, chinese, empty = extractor.extract(["The gate is operated by Tarn Works.", "北闸由闸门班运营。", "ただいま準備しています。"])
    assert [said(fact) for fact in english] == ["gate | operated by | Tarn Works"]
    assert [said(fact) for fact in chinese] == ["北闸 | operated by | 闸门班"]
    assert empty == ()


def test_the_fingerprint_of_an_extractor_says_whether_there_is_a_tagger(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tagger_version()
    monkeypatch.setattr("connectors.chinese_reader.tagger_version", str)
    bare = PatternExtractor(VOCABULARY)
    assert bare.fingerprint != PATTERNS.fingerprint
    assert [said(fact) for fact in bare.extract(["北闸由闸门班运营。"])[0]] == ["北闸 | operated by | 闸门班"]


def test_the_tagger_prints_nothing_and_leaves_no_file(capfd: pytest.CaptureFixture[str], tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    names = names_in("陈爱丽在北京工作。")
    assert [*names.people] == [(0, 3)]
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []  # type: ignore[attr-defined]


def test_a_joint_before_a_role_is_no_part_of_its_holder() -> None:
    assert sure(tagged("北闸和局长王强位于南港。")) == ["北闸 | located in | 南港", "王强 | located in | 南港"]
    assert sure(plain("灯塔由港务局局长王强管理。")) == ["灯塔 | managed by | 王强"]


def read(body: str) -> Reading:
    found = parsed(body, "text/markdown", VOCABULARY)
    texts = {key: block.statement for key, block in zip(found.keys, found.blocks, strict=True) if key is not None}
    return reading_of(found, dict(zip(texts, PATTERNS.extract(list(texts.values())), strict=True)), VOCABULARY)


def test_a_paragraph_goes_on_about_what_the_one_before_speaks_of() -> None:
    reading = read("# 港口\n\n港务局成立于1985年。\n\n它由陈爱丽领导。\n")
    facts = [fact for unit in reading.units for fact in unit.facts]
    assert [(fact.subject, fact.predicate, fact.object) for fact in facts] == [("港务局", "founded", "1985年"), ("港务局", "led by", "陈爱丽")]
    assert facts[1].text == "港务局由陈爱丽领导。"


def test_headers_and_items_in_chinese_state_facts_of_the_page() -> None:
    ticket = parsed("标题：暖气不热\n状态：处理中\n经办人: 林若溪\n\n两组暖气没有热水。\n", "text/plain", VOCABULARY)
    stated = reading_of(ticket, {key: () for key in ticket.keys if key is not None}, VOCABULARY)
    assert stated.title == "暖气不热"
    assert {(fact.predicate, fact.object) for unit in stated.units for fact in unit.facts} >= {("status", "处理中"), ("assignee", "林若溪")}
    listed = [fact for unit in read("- 所有者：默罗航运公司\n- 注意：请勿吸烟。\n").units for fact in unit.facts]
    assert [(fact.subject, fact.predicate, fact.object) for fact in listed] == [(SELF, "owner", "默罗航运公司")]


def test_names_that_only_look_declared_are_not() -> None:
    pairs = read("South Harbour Office（南港办事处）位于南港。Tomas Ebberly（港务局局长）来了。（简称港局）位于由港（简称港局）。\n").pairs
    assert pairs == (("South Harbour Office", "南港办事处"),)


def test_a_chinese_page_declares_its_names() -> None:
    reading = read("南港办事处（South Harbour Office）位于南港。港务局（简称港局）位于北港，旧闸，又称石闸，已关闭。文件（PDF）可以下载。\n")
    assert reading.pairs == (("南港办事处", "South Harbour Office"), ("港务局", "港局"), ("旧闸", "石闸"))


CJK = st.characters(min_codepoint=0x3000, max_codepoint=0x9FFF)
WORDS = st.sampled_from(
    "陈爱丽 港务局 局长 是 担任 由 负责 的 高 42米 （ ） ， 。 2024年3月 自 起 和 不再 辞去 它 该公司 位于 有 三个泊位 \ue000 “ ” 《 任命 为".split()
)


@given(st.one_of(st.text(CJK, max_size=200), st.lists(st.one_of(WORDS, st.text(CJK, max_size=3)), max_size=40).map("".join)))
def test_any_text_is_read_and_all_spans_are_inside(block: str) -> None:
    for fact in (*plain(block), *tagged(block)):
        assert 0 <= fact.start <= fact.end <= len(block)
        assert fact.text
        assert fact.object
        assert 0.6 <= fact.confidence <= 1.0


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["港务局局长", "由负责", "（", "《", "和", "是", "陈爱丽、", "12", "称", "的", "据", "2024年", "，", "”"])
def test_the_longest_block_of_one_piece_repeated_is_read_in_seconds(piece: str) -> None:
    assert isinstance(plain(piece * (LONGEST // len(piece))), tuple)
