"""Questions and the statements that answer them, in English and Chinese, about eight invented companies.

The six statements about a company are each other's near misses, and so are those about one matter at different companies.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """One question with the statement that answers it, in both languages."""

    question: str
    statement: str
    question_zh: str
    statement_zh: str


PAIRS = tuple(
    Pair(*lines)
    for lines in (
        # Tarn Works, a mill
        (
            "Who runs Tarn Works?",
            "Milo Reyes has been chief executive of Tarn Works since March 2023.",
            "谁在领导塔恩工厂?",
            "米洛自2023年3月起担任塔恩工厂首席执行官。",
        ),
        (
            "Where is the mill of Tarn Works?",
            "The Tarn Works mill stands on the bank of the river Ossel.",
            "塔恩工厂的磨坊在什么地方?",
            "塔恩工厂的磨坊位于奥塞尔河岸。",
        ),
        (
            "When did Tarn Works begin?",
            "Tarn Works was founded in 1962 by three weavers.",
            "塔恩工厂是哪一年创办的?",
            "塔恩工厂由三名织工于1962年创立。",
        ),
        ("How many people work at Tarn Works?", "Tarn Works employs 340 people in two shifts.", "塔恩工厂有多少员工?", "塔恩工厂分两班雇用340人。"),
        (
            "What powers the looms of Tarn Works?",
            "The looms of Tarn Works are driven by a water turbine.",
            "塔恩工厂的织机靠什么驱动?",
            "塔恩工厂的织机由一台水轮机带动。",
        ),
        ("Does Tarn Works still dye wool?", "Tarn Works stopped dyeing wool in 2019.", "塔恩工厂现在还染羊毛吗?", "塔恩工厂在2019年停止了羊毛染色。"),
        # Harrow Freight, lorries
        ("Who owns Harrow Freight?", "Harrow Freight belongs to the Lindqvist family.", "哈罗货运归谁所有?", "哈罗货运属于林德家族。"),
        (
            "What is the largest lorry of Harrow Freight able to carry?",
            "The biggest truck in the Harrow Freight fleet takes a load of 26 tonnes.",
            "哈罗货运最大的卡车能装多少货?",
            "哈罗货运车队中最大的卡车载重26吨。",
        ),
        (
            "Where does Harrow Freight keep its vehicles at night?",
            "Harrow Freight parks its fleet in the depot at Stonebeck.",
            "哈罗货运的车辆夜间停在哪里?",
            "哈罗货运的车队停放在石溪车库。",
        ),
        (
            "How are the drivers of Harrow Freight paid?",
            "Drivers of Harrow Freight receive their wages every second Friday.",
            "哈罗货运的司机什么时候领工资?",
            "哈罗货运每隔一个星期五给司机发工资。",
        ),
        (
            "Which program plans the tours of Harrow Freight?",
            "Harrow Freight schedules its routes with the software Wayfinder.",
            "哈罗货运用什么软件安排路线?",
            "哈罗货运使用寻路软件规划运输路线。",
        ),
        (
            "What happens when a Harrow Freight parcel is lost?",
            "Lost consignments of Harrow Freight are refunded within ten days.",
            "哈罗货运丢了包裹怎么办?",
            "哈罗货运会在十天内赔偿丢失的货物。",
        ),
        # Blue Cairn, a brewery
        (
            "Who is the brewer at Blue Cairn?",
            "Ada Winter is master brewer of Blue Cairn.",
            "蓝石酒厂的酿酒师是谁?",
            "温特女士是蓝石酒厂的首席酿酒师。",
        ),
        (
            "How strong is the Blue Cairn winter ale?",
            "The winter ale of Blue Cairn has an alcohol content of 7.2 percent.",
            "蓝石冬季啤酒的度数是多少?",
            "蓝石酒厂的冬季麦酒酒精含量为7.2%。",
        ),
        (
            "Where does Blue Cairn get its water?",
            "Blue Cairn draws its water from a well beneath the brewery.",
            "蓝石酒厂的水从哪里来?",
            "蓝石酒厂从厂房下面的一口井取水。",
        ),
        (
            "Can visitors see the Blue Cairn brewery?",
            "Guided tours of Blue Cairn are held on Saturdays at two.",
            "可以参观蓝石酒厂吗?",
            "蓝石酒厂每周六下午两点有导览。",
        ),
        (
            "What did Blue Cairn call itself before?",
            "Blue Cairn was named Cairn & Sons until 2008.",
            "蓝石酒厂以前叫什么名字?",
            "蓝石酒厂在2008年以前名为老石父子公司。",
        ),
        (
            "Which bottles does Blue Cairn use?",
            "Blue Cairn fills its beer into brown half-litre bottles.",
            "蓝石酒厂用什么瓶子?",
            "蓝石酒厂把啤酒装在棕色的半升瓶里。",
        ),
        # Orrery, a maker of programs
        (
            "Who is responsible for the Orrery billing service?",
            "The billing service of Orrery is maintained by the ledger team.",
            "奥雷里的计费服务由谁负责?",
            "奥雷里公司的计费服务由账务团队维护。",
        ),
        (
            "Which database does Orrery rely on?",
            "Orrery stores all of its data in PostgreSQL.",
            "奥雷里用的是哪种数据库?",
            "奥雷里公司把全部数据存放在PostgreSQL里。",
        ),
        (
            "How long does Orrery keep backups?",
            "Backups at Orrery are deleted after 45 days.",
            "奥雷里的备份保存多久?",
            "奥雷里公司的备份在45天后删除。",
        ),
        (
            "When is the new version of Orrery published?",
            "Orrery releases a version on the first Tuesday of each month.",
            "奥雷里什么时候发布新版本?",
            "奥雷里公司在每月第一个星期二推出新版本。",
        ),
        (
            "How do I reset my Orrery password?",
            "A forgotten Orrery password is replaced through the link on the sign-in page.",
            "忘记奥雷里的密码怎么办?",
            "可以通过登录页面上的链接重设奥雷里密码。",
        ),
        (
            "What does an outage at Orrery trigger?",
            "When a service of Orrery fails, the engineer on call is woken by telephone.",
            "奥雷里的服务中断时会怎样?",
            "奥雷里的服务出现故障时会电话叫醒值班工程师。",
        ),
        # Saltmarsh Museum
        (
            "Who directs the Saltmarsh Museum?",
            "Lena Orrick is the curator in charge of the Saltmarsh Museum.",
            "盐沼博物馆的馆长是谁?",
            "盐沼博物馆现由奥里克担任馆长。",
        ),
        (
            "What does a ticket to the Saltmarsh Museum cost?",
            "Admission to the Saltmarsh Museum is eight crowns.",
            "盐沼博物馆的门票多少钱?",
            "盐沼博物馆的入场费是八克朗。",
        ),
        (
            "On which day is the Saltmarsh Museum shut?",
            "The Saltmarsh Museum does not open on Mondays.",
            "盐沼博物馆星期几不开门?",
            "盐沼博物馆每逢周一闭馆。",
        ),
        (
            "What is the oldest thing in the Saltmarsh Museum?",
            "The earliest exhibit of the Saltmarsh Museum is a canoe from 900 BC.",
            "盐沼博物馆最古老的展品是什么?",
            "盐沼博物馆年代最早的藏品是一条公元前900年的独木舟。",
        ),
        (
            "Which building houses the Saltmarsh Museum?",
            "The Saltmarsh Museum occupies the former customs house.",
            "盐沼博物馆设在哪座建筑里?",
            "盐沼博物馆设在从前的海关大楼内。",
        ),
        (
            "Who paid for the new wing of the Saltmarsh Museum?",
            "The extension of the Saltmarsh Museum was financed by the town council.",
            "盐沼博物馆的新馆是谁出资的?",
            "盐沼博物馆的扩建由镇议会出资。",
        ),
        # Fenwick Clinic
        ("Who leads the Fenwick Clinic?", "Doctor Pell heads the Fenwick Clinic.", "芬威克诊所由谁主管?", "佩尔医生主持芬威克诊所的工作。"),
        (
            "How many beds are there in the Fenwick Clinic?",
            "There is room for 58 patients at the Fenwick Clinic.",
            "芬威克诊所有多少张床位?",
            "芬威克诊所可以收治58名病人。",
        ),
        (
            "When may I visit somebody in the Fenwick Clinic?",
            "Visiting hours of the Fenwick Clinic are from three to six.",
            "什么时候可以去芬威克诊所探病?",
            "芬威克诊所的探视时间是三点到六点。",
        ),
        (
            "Where is the pharmacy of the Fenwick Clinic?",
            "The Fenwick Clinic dispenses medicines on the ground floor.",
            "芬威克诊所的药房在几楼?",
            "芬威克诊所在一楼配药。",
        ),
        (
            "Which operations does the Fenwick Clinic not do?",
            "The Fenwick Clinic sends heart surgery to the district hospital.",
            "芬威克诊所不做什么手术?",
            "芬威克诊所把心脏手术转到地区医院。",
        ),
        (
            "What must a patient bring to the Fenwick Clinic?",
            "On arrival at the Fenwick Clinic an insurance card has to be shown.",
            "去芬威克诊所看病要带什么?",
            "到芬威克诊所就诊时必须出示保险卡。",
        ),
        # Northgate Observatory
        (
            "Who built the telescope of Northgate?",
            "The Northgate telescope was made by the Halden workshop.",
            "北门天文台的望远镜是谁造的?",
            "北门天文台的望远镜由哈尔登工坊制造。",
        ),
        (
            "How wide is the mirror at Northgate?",
            "The main mirror of the Northgate Observatory measures 2.4 m across.",
            "北门天文台的镜面有多大?",
            "北门天文台的主镜直径为2.4米。",
        ),
        (
            "How high up is the Northgate Observatory?",
            "The Northgate Observatory lies 1,870 m above the sea.",
            "北门天文台海拔多高?",
            "北门天文台建在海拔1870米处。",
        ),
        ("What does Northgate search for?", "Northgate looks for comets and small planets.", "北门天文台在寻找什么?", "北门天文台搜寻彗星和小行星。"),
        (
            "When was the dome of Northgate repaired?",
            "The roof of the Northgate Observatory was renewed in the autumn of 2021.",
            "北门天文台的圆顶是什么时候修的?",
            "北门天文台的穹顶在2021年秋天翻新。",
        ),
        (
            "Who may use Northgate?",
            "Observing time at Northgate is granted to universities of the region.",
            "哪些人可以使用北门天文台?",
            "北门天文台的观测时间分配给本地区的大学。",
        ),
        # Kestrel Rail
        (
            "Who inspects the bridges of Kestrel Rail?",
            "Kestrel Rail has its bridges examined by the firm Abutment.",
            "红隼铁路的桥梁由谁检查?",
            "红隼铁路请桥台公司检测桥梁。",
        ),
        (
            "How fast do the trains of Kestrel Rail go?",
            "Kestrel Rail trains reach 140 kilometres per hour.",
            "红隼铁路的列车有多快?",
            "红隼铁路的列车时速可达140公里。",
        ),
        (
            "May I take a bicycle on Kestrel Rail?",
            "Kestrel Rail transports bikes free of charge outside rush hours.",
            "红隼铁路可以带自行车吗?",
            "红隼铁路在非高峰时段免费运送自行车。",
        ),
        (
            "Why was the Kestrel Rail line to Morwen closed?",
            "The Morwen branch of Kestrel Rail was abandoned after a landslide.",
            "红隼铁路通往莫文的线路为什么停运?",
            "红隼铁路的莫文支线在山体滑坡后废弃。",
        ),
        (
            "Until when is the Kestrel Rail licence valid?",
            "The permit of Kestrel Rail expires at the end of June 2031.",
            "红隼铁路的许可证什么时候到期?",
            "红隼铁路的执照有效期至2031年6月底。",
        ),
        (
            "What replaced the steam engines of Kestrel Rail?",
            "Kestrel Rail swapped steam for diesel locomotives in 1968.",
            "红隼铁路的蒸汽机车后来换成了什么?",
            "红隼铁路在1968年用内燃机车取代了蒸汽机车。",
        ),
    )
)
