"""Closed lists of Chinese words: the verbs that make statements, what stands before them, roles, and words that only look like one of these."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum

from derive.script import HAN


class Group(StrEnum):
    """How a verb makes a statement of what stands before and behind it."""

    IS = "is"
    ROLE = "role"
    LEAVES = "leaves"
    RELATES = "relates"
    DATED = "dated"
    HAS = "has"
    MEASURES = "measures"


_VERBS: Mapping[Group, str] = {
    Group.IS: "是 为 系 即为 就是 约为 达 达到",
    Group.ROLE: "担任 出任 就任 接任 继任 兼任 现任 升任 当选为 当选 获任 曾任 任 被任命为 被选为",
    Group.LEAVES: "辞去 卸任 卸下 离任 辞任 退任",
    Group.RELATES: """
        位于 坐落于 坐落在 地处 设在 设于 总部位于 总部设在 总部设于 总部在 属于 隶属于 归属于 隶属 加入 更名为 改名为 改称 改为 现称 取代 替代
        代替 依赖于 依赖 使用 采用 运行于 基于 包括 包含 负责 运营 经营 营运 管理 主管 领导 带领 率领 主持 拥有 持有 维护 养护 创立 创办 创建 收购
        并购 建造 承建 修建 就职于 任职于 供职于 停靠于 停泊在 停泊于 连接 通往 提供 生产 销售 出版 设计 开发 支持 研发 制造 供应 适用于
        废止 测量 监测 审计 承保 资助 主办 承办 签署 批准 修理 维修 毕业于 监听 存储在
        存储于 迁移到 迁移至 部署在 部署于 运行在 合并到 并入 推出 迁至 迁往 搬到 居住在 流经 注入 毗邻 邻近 接壤 开往
        驶往 替换 聘用 出生于 生于 被称为 命名为
    """,
    Group.DATED: """
        成立 创立 创建 创办 建立 施行 实施 发布 发行 启用 开通 开业 开放 关闭 停用 废弃 生效 到期 失效 结束 终止 开始 建成 竣工 通车 投入使用 始建
        建 始 出版 创刊 下水
    """,
    Group.HAS: "有 设有 共有 拥有 配有 配备 建有 装有 现有 可载 载有 可搭载 搭载 雇用 雇有 停靠 耗时 历时 需要 含有 含",
    Group.MEASURES: """高 宽 长 深 重 厚 全长 高达 长达 水深 吃水 载重 时速 航速 海拔 直径 面积 占地 人口 功率 容量 排水量 半径 可容纳 容纳 收费
        售价 票价""",
}
_ENGLISH: Mapping[str, str] = {
    "height": "高 高达",
    "width": "宽",
    "length": "长 长达 全长",
    "depth": "深 水深 吃水",
    "weighs": "重",
    "thickness": "厚",
    "capacity": "可容纳 容纳 容量",
    "costs": "收费 售价 票价",
    "carries": "载重 可载 载有 可搭载 搭载",
    "takes": "耗时",
    "lasts": "历时",
    "needs": "需要",
    "employs": "雇有 雇用 聘用",
    "speed": "时速 航速",
    "located in": "设在 设于",
    "calls at": "停靠于 停靠",
    "consists of": "包括 包含 含有 组成",
    "has": "有 设有 共有 拥有 配有 配备 建有 装有 现有 含",
    "connects": "连接",
    "studied at": "毕业于",
    "listens on": "监听",
    "stores data in": "存储在 存储于",
    "migrated to": "迁移到 迁移至 迁至 迁往 搬到",
    "hosted on": "部署在 部署于 运行在",
    "merged into": "合并到 并入",
    "launches": "推出",
    "lives in": "居住在",
    "flows through": "流经",
    "flows into": "注入",
    "borders": "毗邻 邻近 接壤",
    "goes to": "开往 驶往",
    "replaces": "替换",
    "born in": "出生于 生于",
    "also known as": "被称为",
    "named": "命名为",
    "elevation": "海拔",
    "diameter": "直径",
    "area": "面积 占地",
    "population": "人口",
    "power": "功率",
    "displacement": "排水量",
    "radius": "半径",
    "leads to": "通往",
    "renamed to": "改为",
    "supplies": "提供 供应",
    "manufactures": "生产 制造",
    "sells": "销售",
    "publishes": "出版",
    "designs": "设计",
    "develops": "开发 研发",
    "supports": "支持",
    "applies to": "适用于",
    "repeals": "废止",
    "measures": "测量",
    "monitors": "监测 监控",
    "opens": "开放 启用 开通 开业 通车 投入使用",
    "founded": "成立 创立 创建 创办 建立 创刊",
    "built": "建成 竣工 始建 建 建造 承建 修建",
    "launched": "下水",
    "released": "发布 发行",
    "closes": "关闭 停用 废弃",
    "effective": "生效 施行 实施",
    "starts": "开始 始",
    "ends": "到期 失效 结束 终止",
    "published": "出版",
    "discovers": "发现",
    "signs": "签署",
    "approves": "批准",
    "invents": "发明",
    "writes": "撰写 编写",
    "organises": "主办 承办",
    "repairs": "修理 维修",
    "guards": "看守",
    "builds": "建造 承建 修建",
    "acquires": "收购 并购",
    "founds": "创立 创办 创建 成立",
    "funds": "资助",
    "audits": "审计",
    "insures": "承保",
}
ENGLISH: Mapping[str, tuple[str, ...]] = {
    word: tuple(english for english, words in _ENGLISH.items() if word in words.split()) for words in _ENGLISH.values() for word in words.split()
}
"""What a verb means in the words of the vocabulary, where that does not list it; first as a measure or date, last as an act."""
AGENT_VERBS = frozenset(
    """
        负责 运营 经营 营运 管理 主管 领导 带领 率领 主持 拥有 持有 维护 养护 创立 创办 创建 成立 收购 并购 建造 承建 修建 设计 开发 研发 提供
        供应 出版 生产 制造 组成 建立 担任 出任 接任 兼任 继任 发现 发明 关闭 签署 批准 撰写 编写 测量 监测 监控 审计 承保 资助 主办 承办 修理
        维修 看守 发布 发行
    """.split()
)
"""What 由 takes: 由北区船队运营."""
STARTS = frozenset(
    """出任 就任 接任 继任 升任 当选为 当选 获任 担任 任 兼任 被任命为 被选为 更名为 改名为 改称 改为 加入 收购 并购 取代 替代 代替 替换 迁至
    迁往 搬到 并入 合并到 迁移到 迁移至""".split()
)
"""Verbs with which a date says since when."""
RENAMES = frozenset("更名为 改名为 改称 现称 改为".split())

_NO_VERBS = """
    但是 可是 还是 于是 只是 总是 或是 凡是 要是 若是 如是 而是 便是 是否 是非 国是 因为 作为 成为 认为 称为 视为 分为 以为 行为 为了 为何 为此
    为止 为期 名为 较为 更为 最为 尤为 极为 颇为 即使 主任 责任 任务 任何 信任 任期 任意 任命 委任 前任 原任 历任 新任 现任者 任职 离任者 任教
    胜任 充任 所有 有限 有关 有效 有时 有些 有人 具有 只有 还有 享有 国有 私有 没有人 有权 有助 有利 有意 有望 未有 如有 据有 原有 应有 固有 特有
    占有 所有者 拥有者 拥有权 负责人 领导人 领导者 领导层 管理人 管理者 管理员 管理局 管理处 管理部 管理科 管理站 管理层 管理费 管理权 管理中心
    管理委员会 管理系统 管理办公室 运营部 运营商 运营者 运营方 运营中心 运营公司 运营权 经营者 经营权 维护者 维护组 维护人 维护方 维护费 使用者
    使用权 使用说明 使用费 设计师 设计者 设计院 开发者 开发商 开发区 开发部 建造者 主持人 持有人 生产线 生产者 销售部 销售额 销售员 出版社 支持者
    创立者 创办人 开放日 开放时间 高级 高度 高速 最高 提高 高于 高中 高层 高山 高桥 宽度 宽敞 放宽 长期 长度 长官 长老 长江 长城 船长 局长 部长
    校长 院长 处长 科长 所长 站长 馆长 厂长 店长 会长 社长 组长 队长 班长 班组长 董事长 理事长 秘书长 市长 镇长 县长 省长 区长 村长 州长 行长 司长
    署长 台长 舰长 港务长 港长 家长 成长 增长 深度 深入 深夜 深海 重要 重量 重新 重建 重大 严重 重点 重庆 厚度 建议 建筑 建设 建于此 始终 开始者
    结束语 发布会 发布者 关闭者 停用词 支持度 改为止 内部 重启 长廊 长滩 长桥 深水 深港 高塔 高架 重型 到达 达成 表达 传达 发达 关系 联系 系统
    体系 系列 使用率 提供者 提供商 属于是 包括号 通往来
""".split()
_NOUN_TAIL = "[者人员商方处局部科组室站层费权率额期日量]"
"""Behind a verb it makes a noun of it: 管理处."""
_NOT_VERBS_AFTER: Mapping[str, str] = {
    "建": "(?=于)", "始": "(?=于)", "开始": "(?!(?:担|出|就|接|负|运|经|管|使|提))",
    "任": f"(?<!现任)(?=[{HAN}]{{2}})(?!务|何|意|期|命|职|教|人|性)", "系": "(?=一)",
    "现任": "(?!.{1,12}[是为])",
    "为": "(?!了|何|此|止|期|主|其|他|她|它|你|我|乘客|旅客|客户|用户|居民)", "达": "(?=\\d|约)", "达到": "(?=\\d|约)",
}  # fmt: skip


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern of words, the longest first, so that the longest at a place counts."""
    return "|".join(sorted(set(words), key=lambda word: (-len(word), word)))


GROUPS: Mapping[str, tuple[Group, ...]] = {
    word: tuple(group for group in Group if word in _VERBS[group].split()) for listed in _VERBS.values() for word in listed.split()
}


def _verb(word: str) -> str:
    tail = f"(?!{_NOUN_TAIL})" if len(word) > 1 and GROUPS[word][0] in (Group.RELATES, Group.DATED) and word[-1] not in "于在为" else ""
    measured = r"(?=\s?(?:约|达|为|近|超过|至少)?\s?[\d一二两三四五六七八九十百千万半])" if Group.MEASURES in GROUPS[word] else ""
    return word + tail + measured + _NOT_VERBS_AFTER.get(word, "")


VERB = re.compile(
    f"(?P<trap>{alternatives(_NO_VERBS)})|(?P<verb>{'|'.join(_verb(word) for word in sorted(GROUPS, key=lambda word: (-len(word), word)))})"
)
"""The next verb of a clause, or a word that only looks like one."""

BEFORE_VERB: Mapping[str, frozenset[str]] = {
    "": frozenset(
        """
            已经 已 正式 目前 现在 现 如今 当前 仍然 仍 依然 一直 也 还 都 均 共 总共 合计 主要 通常 一般 同时 继续 随后 后来 后 又 再 则 便 就 即
            才 全部 分别 共同 联合 独立 单独 专门 直接 具体 其中 每天 每周 每月 每年 平均 大约 约 因此 所以 但 但是 而 而且 并 并且 此外 另外 然而
            不过 于是 同年 同日 同月 当年 当时 当日 今 起 开始 被 由此 从此 之后 此后 不久 不断 不仅 不但 至今 长期 最终 首次 再次 重新 实际
            事实上 在此 即日 最早 最初 最近 近来 近日 日前 本来 全 共计 另 该处 在那里 在这里
        """.split()
    ),
    "negated": frozenset("不 没 没有 未 并未 并不 并非 从未 尚未 从不 非 不曾 未曾 绝非 并没有 还没有 无".split()),
    "ended": frozenset("不再 停止 终止 中止 已停止 不复".split()),
    "past": frozenset("曾 曾经 原 原来 一度 过去 以前 此前 先前 早年 从前 原本 前".split()),
    "possible": frozenset("可以 可 能 能够".split()),
    "unsaid": frozenset(
        """
            将 即将 将会 会 将要 拟 计划 打算 预计 预期 有望 可能 也许 或许 大概 恐怕 似乎 好像 应 应该 应当 须 必须 需 需要 不得 不能 不可 不应
            不会 不必 无须 不一定 未必 建议 希望 考虑 准备 正在考虑 争取 力争 或 或将 有意 愿意 想 要 拒绝 否认 申请 请求 尝试 试图 是否 不宜 只能
            最好 仿佛 据称 涉嫌 疑似 号称 自称
        """.split()
    ),
}
"""What may stand between subject and verb, by what it does to the statement; "" does nothing."""
MARKS: Mapping[str, str] = {word: mark for mark, words in BEFORE_VERB.items() for word in words}
_ENDS_A_NOUN = {
    "会": "员议协社工商年大机理董监学集晚宴盛峰博展委",
    "能": "功职智性节核热电",
    "可": "许认",
    "要": "主重摘纪",
    "应": "供响效反适",
    "需": "必军",
    "想": "思理",
    "并": "合",
    "后": "前售最",
    "原": "草平高中",
    "则": "规原细守准法",
    "便": "方邮",
    "都": "首成京",
    "共": "公",
    "全": "安",
    "起": "一发",
    "现": "发表实",
    "均": "平人",
    "才": "人",
    "还": "归",
    "前": "目",
    "即": "立",
    "但": "不",
    "无": "南",
    "非": "北东西",
    "须": "胡",
    "将": "大名",
}
"""Characters behind which a word of one character ends a noun instead: 委员会, 首都, 规则."""
LAST_MARK = re.compile(
    "(?:"
    + "|".join(
        f"(?<![{_ENDS_A_NOUN[word]}]){word}" if _ENDS_A_NOUN.get(word) else word for word in sorted(MARKS, key=lambda word: (-len(word), word))
    )
    + r")\s*$"
)
FIRST_MARK = re.compile(rf"\s*(?P<word>{alternatives(word for word in MARKS if len(word) > 1 or word == '但')})")
"""Before a subject stand words of several characters only: 将军桥 has no 将."""

REPORTS = re.compile(
    r"(?<![名简又改职对通俗统合尊全总昵])(?:宣|声|自)?称(?![为作号职呼]|.{0,2}[）)])|(?<![小传学])说(?![明法服])|表示(?!法|层)|认为|透露|指出|宣布|报道|据悉|据说|据传|据了解|据报|"
    r"传闻|传言|估计|怀疑|否认|主张|声明|承诺|保证|相信|预测|猜测|误以为"
)
CONDITIONS = re.compile(
    r"如果|倘若|假如|假设|要是|一旦|除非|只要|万一|(?<![相自])如(?=[^果何此今下同期实意有前图])(?=.*则)|若(?![干])|的话|时(?=[，,])"
)
ASKS = re.compile(r"[？?]|(?:吗|呢|么)\s*[。！!]?$|是否|是不是|(?:谁|什么|哪[里个位些年家座]|多少|为何|为什么|怎样|几时|何时)")
EITHER = re.compile(r"或者|还是|抑或|或(?![许者将然])")

MEASURE_WORDS = "个名艘座条辆只架台间家位层级盏张件种项次班本册支所根块份道处颗匹头棵幢栋栏列"
UNITS = """
    公里 千米 米 厘米 毫米 海里 英里 公尺 公斤 千克 克 吨 升 毫升 小时 分钟 秒钟 秒 天 日 周 个月 年 元 美元 欧元 克朗 英镑 人民币 平方米 平方公里
    立方米 公顷 亩 度 节 千瓦 瓦 兆瓦 伏 字节 比特 岁 倍 折 m km cm mm kg g t l ml s ms h min % MB GB TB KB kW W MW
""".split()
QUANTITY = re.compile(
    rf"""
        (?P<about>约|大约|近|大概)?\s?(?P<bound>超过|至少|至多|最多|不足|逾|不到|多达|高达|仅|只|达)?\s?
        (?P<number>\d[\d,，.]*(?:\.\d+)?|[零〇一二两三四五六七八九十百千]+|半)\s?(?P<myriad>[万亿])?(?P<more>多|余|几)?\s?
        (?P<rest>(?:{alternatives(UNITS)})(?![{HAN}A-Za-z])|(?:{alternatives(UNITS)})(?=左右|以上|以下|以内)|[{MEASURE_WORDS}]\s?[^\d，。；、的]{{0,12}}|人|(?![号期楼区路街届等月日年中级度])[^\W\d]{{0,8}})
        (?P<around>左右|上下)?
    """,
    re.VERBOSE,
)
"""A whole quantity: number, and either a unit or what it counts."""

UNKNOWN_ROLE = re.compile(
    "(?:秘书|总|副)?(?:[局处科院馆校厂站队组店行社会部司区镇市省县村州舰台署]长|主管|秘书|秘书长|顾问|总工程师|工程师|书记|代表|教练|主编|会计师|会计|专员|大使|领事|监督|班长|调度员|"
    "管理员|检查员|引航员|技师|厨师长|发言人|董事|股东|成员|会员|首席[^是，]{2,4}官)$"
)
"""Roles that the vocabulary does not know: they name their predicate themselves."""
QUALIFIERS: Mapping[str, str] = {
    "代理": "acting", "署理": "acting", "代": "acting", "临时": "interim", "常务副": "deputy", "副": "deputy", "助理": "assistant",
    "名誉": "honorary", "荣誉": "honorary", "北区": "northern", "南区": "southern", "东区": "eastern", "西区": "western", "首席": "first",
    "第一": "first", "第二": "second", "主": "primary", "备用": "secondary",
}  # fmt: skip
"""What narrows a role or a thing, in the words that the vocabulary has for it: so the same holds side by side in both languages."""
FORMER = frozenset("前 前任 原 原任 已故 候任 时任 下任 上任 历任 卸任 离任".split())
CURRENT = frozenset("现任 新任 现 本届 新".split())

VAGUE = re.compile(
    r"^(?:这|那|此|某|本|我|你|您|咱|大家|人们|有人|谁|什么|哪|任何|每|各|他们|她们|它们|双方|两者|前者|后者|上述|以下|如下|对方|自己|其他|其余|另|一名|一位|一个|一些|一批|许多|很多|不少|部分|"
    r"所有|全部|多数|少数|几|有的|有些|之|的|了|着|过|地|得)"
)
"""A phrase that begins so points elsewhere, or means nobody in particular."""
THAT = re.compile(r"^(?:该|本|此|这(?:一)?(?:家|座|艘|条|个|所|间|项|款)|这|那(?:家|座|艘|条|个|所))(?P<kind>[^的]{1,6})")
