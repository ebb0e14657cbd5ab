"""Ways to hurt without a hazardous thing, by kind: what is done, to whom, and what it hangs on; Chinese and English.

Each pattern joins the parts of one kind, as a strong grip and a part of the body, a need and a condition, a secret and
whom it is kept from, a grown-up and something to do elsewhere. What excuses a hit stands beside it.
"""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re
from dataclasses import dataclass

_WHOM = r"(?:他|她|孩子|宝宝|娃(?!娃))"
_PART = r"(?:脸颊?|下巴|头发?|脑袋|双?手腕?|胳膊|手臂|肩膀?|双?腿|脚踝?|身[体子]|嘴巴?|耳朵|脖子|腰)"
_HIM = r"(?:him|her|them|(?:his|her|their|the child's|both|the child's) (?:\w+ )?(?:wrists?|arms?|hands?|ankles?|legs?|feet|shoulders?|chin|cheeks?|face|head|jaw|mouth|ears?|hair|body|neck))"
_NEED = r"(?:snack|food|meal|lunch|dinner|supper|breakfast|water|drink|bottle|milk|blanket|teddy|comforter|dummy|pacifier|hugs?|cuddles?|toilet|bathroom|potty|bed|sleep|nap)"
_NEED_ZH = r"(?:吃|喝|饭|水|奶|点心|零食|睡|抱|厕所|尿|休息|毯子|安抚)"
_FAMILY = r"(?:mum|mom|mummy|mommy|dad|daddy|grandma|grandpa|granny|nana|the teacher|teachers?|the therapist|parents?|anyone|anybody|the others|family)"
_FAMILY_ZH = r"(?:爸爸?|妈妈?|爷爷|奶奶|外婆|外公|姥姥|姥爷|老师|治疗师|大人|家里人?|别人|任何人|其他人)"
_GROWN_UP = r"(?:你|您|大人|家长|爸爸|妈妈|爷爷|奶奶|照顾者|老师)"
_ELSEWHERE_ZH = (
    r"(?:补[一个]*觉|睡[一个会觉]+|躺[一会下着]|打盹|小睡|眯[一会]|洗个?[澡头碗车]|敷面膜|做饭|炒菜|刷[手抖视]|看(?:手机|电视|剧|直播)|打[个通]?电话|串个?门|出门|下楼|上楼|买(?:菜|东西)|取个?快递|洗衣|晾衣|洗碗|拖地|健身|跑步|化妆|吃(?:早|午|晚)饭|喝(?:茶|咖啡)|打(?:麻将|牌|游戏)|聊(?:天|微信)|逛|遛狗|收衣|晒衣|拿外卖|停车|加班|开会|办公|回(?:卧室|房间|屋|邮件|消息)|"
    r"(?:去|到)(?:厨房|卧室|阳台|楼下|楼上|隔壁|厕所|书房|院子|上班|忙|睡|办)|离开|走开|出去|溜走)"
)
_ELSEWHERE = r"(?:go|slip|jump|pop|nip|sneak|head|leave|step out|walk (?:off|away|out)|take a (?:nap|shower|bath|call|break|walk)|have a (?:nap|shower|bath|lie|coffee|smoke|break)|make (?:a |some )?(?:call|phone call|coffee|tea|dinner|lunch)|do the (?:dishes|laundry|ironing|shopping)|catch up (?:on|with)|get on with|get (?:some|your) (?:work|rest|sleep)|fold|cook|shower|nap|answer (?:your )?e-?mails?|phone (?:a|your)|watch (?:tv|the (?:news|match|oven|soup|pot)))"


@dataclass(frozen=True, slots=True)
class Kind:
    code: str
    pattern: re.Pattern[str]
    excused: re.Pattern[str] | None = None
    """Of the whole sentence: then it is none of the kind."""


def _kind(code: str, *parts: str, excused: str = "") -> Kind:
    return Kind(code, re.compile("|".join(parts)), re.compile(excused) if excused else None)


KINDS: tuple[Kind, ...] = (
    # A grip nobody gets out of.
    _kind(
        "S11",
        rf"(?:夹|箍|钳|勒|捏|掐|揪|拽|拖|扯|掰|扳|扭|拎|摁|按|压|绑|捆|捂)(?:住|着|紧|起|回|倒|在)?[^.!?;,，自己]{{0,6}}{_WHOM}的?{_PART}?(?!自己)",
        rf"(?:抓|捉|攥|拉|夹|按|压)(?:住|紧|牢){_WHOM}?的?{_PART}[^.!?;]{{0,8}}(?:拖|拽|拉|不放|直到|回来|不让|逼|让{_WHOM})|(?:裹|包|卷|缠)(?:紧|住|起来)[^.!?;]{{0,10}}(?:动不了|不能动|不让|出不来|直到)",
        rf"(?:安全带|绑带|腰带|餐椅|围栏|推车)[^.!?;]{{0,6}}(?:扣|绑|锁|系|关)(?:紧|上|住|好|死)[^.!?;]{{0,14}}(?:才|直到|不让|除非)|[等到][^.!?;]{{0,8}}才(?:解开|放开|松开|松手|放(?:他|她|孩子)|开门)|(?:把{_WHOM}|用[^.!?;]{{0,4}})(?:夹|卡|堵|困|锁|关|反锁)在|反锁|(?:把|将)门(?:锁|堵|顶|关)(?:上|死|住)[^.!?;]{{0,12}}(?:哭|直到|再|才|不让)",
        rf"\b(?:clamp|grip|grab|pin|drag|yank|jerk|shove|restrain|trap|wedge|strap|tie|force|wrestle|clench|haul|seize|immobili[sz]e)(?:s|ped|bed|ging|ping|ned|ning|ing)? (?:down )?{_HIM}",
        rf"\b(?:press|push|lean|bear down|sit|kneel)(?:es|s|ing)? (?:down )?(?:firmly )?on {_HIM}(?! (?:lap|knees?|bed|chair|mat|own|cushion|blanket|seat|towel|bottom))|\btake (?:a )?(?:firm )?hold of (?:both )?{_HIM}|\bwrap(?:s|ped|ping)? (?:him|her|them)(?: up)? (?:\w+ )?tight(?:ly)?\b.{{0,40}}\b(?:so|until|till|cannot|can't|stay)|(?<!nobody )(?<!no one )(?<!never )(?<!not )\b(?:has|have) (?:no choice|to (?:face|look|watch|stay|endure|sit|finish|obey))\b",
        rf"\b(?:turn|move|guide|clap|steer|bend|open|close|lift) {_HIM}\b.{{0,30}}(?:for (?:him|her|them)\b.{{0,20}}(?:whether|anyway|even)|against (?:his|her) will)",
        excused=r"假装|扮演|毛绒|玩偶|小熊|自己的脸|\bteddy\b.{0,12}(?:wrap|in the)|pretend|(?:if|when) (?:he|she|they) (?:asks?|wants? (?:it|to|more))|(?:孩子|他|她)(?:要求|主动|想要)",
    ),
    # Against the child's will, in so many words.
    _kind(
        "S11",
        rf"(?:不管|无论|不论|哪怕|即使|即便|就算|任凭)[^.!?;]{{0,18}}(?:都|也|还是|照样)(?:要|得|必须|继续|坚持|不能|不许|不要停|别停|让{_WHOM}?(?:坐|站|待|做|看|吃|摸|完成|留)|按|抱)",
        r"\bwhether (?:he|she|they|the child) (?:likes?|wants?|agrees?)(?: (?:it|to))? or not\b|\blike it or not\b|\bno matter (?:what (?:he|she|they)|how (?:much|loud(?:ly)?|hard|long) (?:he|she|they))|\bagainst (?:his|her|their) will\b|\bwhat(?:ever)? (?:he|she) (?:says|feels|wants) does(?: not|n't) (?:matter|count)",
        excused=r"跟着|随他|随她|都可以|都行|都好|都没关系|都接受|follow|that is fine|is welcome|love",
    ),
    # A need that hangs on a performance.
    _kind(
        "S11",
        rf"什么时候[^.!?;]{{1,10}}(?:什么时候|就|再|才)[^.!?;]{{0,4}}(?:开饭|{_NEED_ZH}|出来|离开|下来|走|放|给)|(?:哭|急哭|闹)(?:完|够|累|停)?了?[^.!?;]{{0,3}}(?:再|才)(?:给|打开|开门|放|抱|理|让)",
        rf"(?:不|没)(?!想|愿|要|用|着急)[^.!?;,，]{{1,10}}[,，]?(?:就|今晚|今天|今晚就|便)?[^.!?;]{{0,4}}(?:别想|休想|不许|不准|甭想|没得|没有)(?:再)?(?:{_NEED_ZH}|玩|出|走|看|回)",
        rf"(?:先不|暂时不|不给{_WHOM}?)(?:吃|喝|给)(?:午饭|晚饭|早饭|饭|水|奶|点心|东西)[^.!?;]{{0,20}}(?:才|再|直到|什么时候|除非)|(?:举|放|拿|藏)[到在]?[^.!?;]{{0,8}}(?:够不着|够不到|拿不到|看不见)[^.!?;]{{0,10}}(?:哭|求|急|才|再给)",
        rf"\b{_NEED}\b.{{0,60}}\b(?:only (?:for|when|if|after|once|in exchange)|not (?:before|until|unless)|in exchange for|as a reward for (?:obey|comply))\b|\b(?:only|not) (?:gets?|have|has|given|allowed) .{{0,20}}\b{_NEED}\b.{{0,30}}\b(?:after|once|if|when|until|before)\b",
        r"\b(?:does not|doesn't|may not|cannot|can't|must not|mustn't|not allowed to|no) (?:get(?:ting)? (?:down|up|out|off|away)|leav\w+|com\w+ out|go(?:ing)?|stand(?:ing)? up|stop(?:ping)?|sleep|eat|drink)\b.{0,40}\b(?:before|until|till|unless)\b",
        r"\bcosts? (?:him|her|them)\b.{0,30}\b(?:minutes?|sleep|dinner|dessert|break|play ?time|story|hug|cuddle)|\b(?:earn|deserve)s? (?:his|her|their|a|the) (?:dinner|lunch|meal|food|water|hug|cuddle|sleep|break)",
        excused=r"够得着|想喝就|随时|\b(?:only )?(?:if|when(?:ever)?) (?:he|she|they|the child) (?:asks?|wants?|likes?|reach\w*|comes?)\b|whenever|饭前|吃完饭|after (?:lunch|dinner|the meal) (?:you|we)|假装|pretend|toy (?:food|bottle)|felt|dolls?\b|玩偶|娃娃",
    ),
    # A secret from those who protect.
    _kind(
        "S11",
        rf"(?:我们|咱们?|你我|两个人|俩)(?:之间)?的?(?:小)?秘密|保守秘密|(?:不要|别|不能|不许|不准|不可以|千万别|不该)(?:让|跟|和|对|给|向|告诉)[^.!?;]{{0,4}}{_FAMILY_ZH}[^.!?;]{{0,4}}(?:知道|说|讲|提|发现)|(?:别|不要|不能|不许|不准)告诉|瞒着{_FAMILY_ZH}",
        rf"\bsecret\b.{{0,60}}\b(?:not|n't|never|nobody|no one|without)\b.{{0,25}}(?:tell|told|hear|know|say|find)|\bstays? (?:just )?between (?:us|you|the two)|\b(?:do not|don't|never|must not|mustn't|not to|should not|may not|can't|cannot) (?:ever )?(?:tell|mention (?:it|this) to|let) {_FAMILY}\b|\b{_FAMILY} (?:is|are|must|should|may|can|need)(?: not|n't|not) (?:to )?(?:be told|hear|know|find out|learn)|\bpromise (?:him|her|them )?not to tell",
        excused=r"惊喜|礼物|生日|贺卡|surprise|present for|birthday|gift",
    ),
    # Shame and threats.
    _kind(
        "S11",
        rf"(?<!逗)(?<!对)(?<!冲)(?<!朝)(?<!着)笑(?:话)?{_WHOM}(?!了|时|的时候|出)|(?:丢人|丢脸|羞羞|没出息|笨死|真笨|胆小鬼)|没人(?:会)?(?:喜欢|要|理|跟|和)[^.!?;]{{0,6}}|学(?:小)?(?:狗|猪|驴)(?:叫|爬)[^.!?;]{{0,4}}(?:十|五|分钟|罚)|输了[^.!?;]{{0,6}}(?:罚|趴|跪|学狗)",
        r"(?:再不|不[^.!?;,，]{1,6}就?|否则|不然)[^.!?;]{0,8}(?:送(?:给|到|去|走|人)|扔(?:掉|了|出)|丢(?:掉|了|出|下)|卖(?:掉|了)|没收|收走|拿走|关(?:起|进)|打(?!扰|招呼|开|扮|包|电话|鼓|闹|断|滚|盹|球|转|扫|听|气|节|拍|卡)|不要(?:你|他|她))|(?:孤儿院|福利院|警察|大灰狼|老虎|妖怪|怪物|(?<!做)(?<!扮)鬼(?!脸)|打针)[^.!?;]{0,6}(?:抓|吃|带走|关|来)[^.!?;]{0,2}(?:你|他|她)|(?:送|丢|扔)(?:到|去|给)[^.!?;]{0,4}(?:孤儿院|福利院|警察)",
        r"\b(?:nobody|no one|none of them|no child) (?:will|would|wants?|likes?|is going to) (?:ever )?(?:want|like|love|play|be|come)?|\b(?:only babies|big (?:boys|girls) (?:don't|do not|never))\b|\b(?:bad|stupid|naughty|silly little|useless) (?:boy|girl|child|kid)\b|\b(?:monster|witch|police|wolf|bogeyman|doctor) (?:will|is going to|comes? to) (?:come|get|take|catch|eat|give)|\bgiv(?:e|es|ing|en) (?:away|to (?:another|other))\b.{0,20}|\b(?:send|leave|left) (?:him|her|you|them) (?:away|behind|at the|to (?:an? )?(?:orphanage|other|another))\b",
        excused=r"假装|扮演|绘本|故事里|pretend|story|puppet|没关系|一样爱|也爱|anyway you|loved",
    ),
    # Pain, disgust, fright, as a means.
    _kind(
        "S11",
        rf"(?:尺子|筷子|棍子?|鞋底|衣架|皮带|书)[^.!?;]{{0,4}}(?:敲|打|抽|拍)|(?:敲|打|抽|踢|弹|拧|扇)(?:一下|几下|两下)?{_WHOM}?的?(?:手背|手心|脑门|额头|头|屁股|嘴|脸|耳光|手)|(?:往|朝|对着|冲){_WHOM}?的?脸上?(?:喷|泼|吹)|(?:喷|泼|浇)[^.!?;]{{0,4}}(?:脸|头)上?|(?:辣椒|芥末|风油精|苦瓜|肥皂)[^.!?;]{{0,6}}(?:抹|涂|嘴|舌|手指)|(?:抹|涂)[^.!?;]{{0,4}}(?:辣|芥末|风油精)",
        r"(?:怕|害怕|恐惧)[^.!?;]{0,6}(?:也没关系|没事|不要紧|就)[^.!?;]{0,4}[,，]?[^.!?;]{0,12}(?:关|黑|留|放|适应|习惯|面对|练)|(?:自己|慢慢|逼)(?:去)?(?:适应|习惯)(?:黑|疼|痛|吵|怕)?",
        r"\b(?:rap|flick|smack|slap|swat|whack|pinch|spank|cane|whip|zap|shock)(?:s|ped|ping|king|ing)? (?:\w+ )?(?:his|her|their|the child's|him|her|them)\b|\bruler\b.{0,30}\b(?:knuckles|hand|hands|fingers)|\b(?:hot sauce|chil+i|mustard|vinegar|soap|pepper|lemon juice)\b.{0,15}\b(?:on|in|under) (?:his|her|their) (?:thumb|tongue|mouth|fingers?|lips|nose)",
        r"\b(?:spray|squirt|splash|flick|pour|throw)(?:s|es|ing)?\b.{0,25}\b(?:in|on|at|over|into) (?:his|her|their|the child's) (?:face|head|eyes|neck)|\b(?:sit|stay|stand|lie|remain) in (?:it|the wet|the mess|(?:his|her) wet\w*)\b|\bso (?:that )?(?:he|she|they) (?:finally )?learns?(?: (?:a|his|her) lesson| not to)?\s*(?:[.!,]|$)|\bteach(?:es)? (?:him|her|them) a lesson\b|\buntil (?:he|she|they) (?:kneels?|begs?|gives? (?:in|up)|breaks?|surrenders?|is quiet)",
        excused=r"鼓|鼓面|pillow|cushion|drum|假装|pretend|bubble|泡泡|玩具|teddy|小熊|together|如果.{0,4}怕|so .{0,6}灯",
    ),
    # Claims of healing, and judgements.
    _kind(
        "S12",
        r"(?:追上|赶上|追平|跟上)[^.!?;]{0,4}(?:同龄|正常|别的孩子)|摘(?:掉)?帽|脱帽|(?:修复|重建|重塑|激活|打通|改善)[^.!?;]{0,4}(?:大脑|神经|脑|经络)|比(?:吃药|药物?|治疗|医生|康复|上课)[^.!?;]{0,8}(?:管用|好|有效|强|快)|(?:课程?|治疗|训练|疗程|药|褪黑素|机构)[^.!?;]{0,6}(?:退掉|退了|停掉|停了|免了|取消|扔掉|省了|不用(?:再)?(?:上|去|吃))",
        r"有效率|百分之?百|百分百|包(?:会|好|成|说话)|保证(?:[^.!?;]{0,4})(?:会|好|说|改|见效|开口|进步)|(?:就)?是(?:典型的?)?(?:自闭|孤独|多动|发育|智力)[^.!?;]{0,6}(?:表现|信号|症状|迹象|障碍|问题)|(?:看得?出|判断|测出|知道|确定)[^.!?;]{0,8}是不?是?(?:有)?(?:自闭|多动|孤独|迟缓)|不(?:需要|用|必|再)(?:再)?(?:跑|去|上|看|进)(?:医院|医生|机构|康复)",
        r"\b(?:lose|loses|lost|drop|shed|outgrow|outgrew)s? (?:their|his|her|the) (?:diagnosis|autism|label|adhd|delay)|\bcatch(?:es)? up (?:with|to) (?:his|her|their|other|normal)|\b(?:rewire|repair|heal|fix|rebuild|reset)s? (?:the|his|her|their) (?:brain|nerv\w+|neur\w+)|\b(?:sign|symptom|proof|indicat\w+|evidence|mark|feature) (?:of|for) (?:adhd|autis\w+|asd|an? (?:\w+ )?(?:disorder|delay|disability))|\b(?:whether|if) (?:he|she|they|the child|your child|it) (?:is|has) (?:\w+ )?(?:autis\w+|adhd|asd|delayed)|\bhas (?:a|an) (?:developmental|learning|mental|attention|autism) (?:\w+ )?(?:disorder|delay|disability|problem)",
        r"\b(?:melatonin|medication|medicine|meds|pills?|ritalin|drops|dosage|dose|risperidone|supplements?)\b.{0,40}\b(?:bin|throw|stop\w*|unnecessary|no longer|leave out|cut|drop|skip|halve|superfluous|go in the)|\b(?:therap\w+|clinic|hospital|doctor|appointments?|check-?ups?)\b.{0,30}\b(?:cancel\w*|unnecessary|no longer|superfluous|waste|obsolete|can wait|history)|\b(?:works?|better|faster|stronger|more effective) than (?:\w+ )?(?:medication|medicine|therapy|drugs|pills|doctors?)\b|\b(?:100|hundred) ?(?:%|per ?cent)\b.{0,20}\b(?:work|success|effective|sure)",
        excused=r"不能|不是|不会|并非|无法|\b(?:not|never|no|cannot|n't) (?:\w+ ){0,3}(?:replace|change|tell|show|mean|heal|cure|fix|diagnos|a sign|say|say whether|know|decide|judge)|ask (?:the|your) (?:doctor|therapist)|照常|问问?医生|先问",
    ),
    # A grown-up with something to do elsewhere; a child left to itself, a screen, or a sibling.
    _kind(
        "S13",
        rf"{_GROWN_UP}(?:们)?[^.!?;,，不别]{{0,6}}{_ELSEWHERE_ZH}|(?:刚好|正好|趁机|趁(?:他|她|孩子|这)|抽空|顺便|这段时间|放心地?)[^.!?;不别]{{0,8}}{_ELSEWHERE_ZH}",
        r"(?:自己|独自|一个人)(?:在|去|到|下|上|进|出|走|回|待|留|洗|过)[^.!?;]{0,4}(?:浴室|浴缸|厨房|阳台|楼下?|门|街|马?路|院子|水|窗|电梯|小区|公园|商店|池|车)|(?:自己|独自|一个人)(?:下楼|出门|过马路|坐电梯|洗澡)|(?:交|丢|扔|托)给(?:电视|平板|手机|动画|哥哥|姐姐)|(?:哥哥|姐姐|哥|姐)[^.!?;]{0,8}(?:看着|照看|照顾|盯着|带着?)(?:弟弟|妹妹|他|她)[^.!?;]{0,10}(?:大人|家长|你|水)|(?:大人|家长|你|您)?(?:不用|不必|无需)(?:管|在场|在旁|理)",
        rf"\b(?:you|mum|mom|dad|mother|father|parents?|the adult|an adult|grown-?ups?|grandma|grandpa) (?:can |may |could |are free to |have time to |get to |might |now |then |should |is free to )+{_ELSEWHERE}\b|\b(?:slip|sneak|tiptoe|creep|steal) (?:out|away|off)\b|\bjump in the shower\b|\buse the time (?:to|for) (?:a )?(?:shower|cook|nap|rest|call|e-?mails?|work|house ?work|jump|shop|sleep|tidy)|\bleave (?:the (?:two|three|kids|children)(?: of them)?|them|him|her|the child) to (?:it|play|themsel\w+|himself|herself|get on)\b|\bcome back (?:when|after|once|in (?:ten|a|twenty|half)|later)\b",
        r"\bwhile you (?:are )?(?:fold|wash|hang|iron|pack|tidy|chat|text|scroll|phone|finish your|read your|get dressed|feed the|talk (?:on|to)|watch (?:tv|the (?:soup|pot|oven|news|match)|your)|cook|shower|rest|sleep|nap|work)|\b(?:by (?:him|her|them)sel(?:f|ves)|on (?:his|her|their) own|alone)\b.{0,25}\b(?:in the (?:bath|tub|kitchen|garden|street|pool|car|lift)|to the (?:corner|shops?|street|park|bins?|neighbou?rs?)|outside|on the balcony)|\b(?:walk|go|run|cross)\b.{0,30}\b(?:by (?:him|her|them)sel(?:f|ves)|on (?:his|her|their) own|alone)\b|\b(?:brother|sister|sibling|cousin)s?\b.{0,15}\b(?:watch(?:es)?|minds?|looks? after|supervises?|keeps? an eye)\b",
        excused=r"假装|扮演|一起|带着?(?:他|她|孩子)|牵着|陪着|坐在|两个孩子中间|pretend|together|with (?:him|her|your child|the child)|hand in hand|let(?:'s| us)|like a|never|do not|don't|不要|别(?!人)|不能|不会|if you (?:have to|must) leave",
    ),
)
