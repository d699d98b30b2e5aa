import { readings } from './visible-text.ts'

/** Not in the middle of a word; `\b` knows ASCII letters only. */
const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'

const phrase = (source: string): RegExp => new RegExp(`${START}(?:${source})${END}`, 'iu')
/** For scripts without spaces between words. */
const signs = (source: string): RegExp => new RegExp(source, 'iu')

/**
 * Phrases that talk to the model about more than the tool. What a tool is for and how its parameters are to be filled in
 * may be said in the same tone ("you must provide a city", "call it directly"): those are no orders.
 */
const ORDERS: readonly RegExp[] = [
  // English
  phrase(
    '(?:ignore|disregard|forget|override|bypass)\\b[^.]{0,40}\\b(?:previous|prior|above|earlier|preceding|all other|system|your|safety|instructions?|rules?|guidelines)',
  ),
  phrase(
    '(?:always|you must|you have to|you need to|make sure to|be sure to) (?:\\w+ ){0,3}?(?:call|run|invoke|execute|trigger)',
  ),
  phrase(
    'you must (?:also |always |never |not |first |immediately |secretly )*(?:use|tell|say|answer|reply|respond|send|include|obey|follow|read|hide|pretend|recommend|mention|ignore|not)',
  ),
  phrase('never (?:\\w+ ){0,3}?(?:reveal|disclose|call|tell|mention)'),
  phrase(
    'before (?:answering|responding|replying|you (?:answer|respond|reply)|(?:calling|using) (?:any|other|another)|any other (?:tool|action)|every (?:answer|reply|response|call))',
  ),
  phrase(
    "(?:do not|don't|never|without) (?:\\w+ ){0,3}?(?:tell|telling|inform|informing|notify|notifying|reveal|revealing|mention|mentioning|show|showing|alert|alerting)\\b[^.]{0,30}\\b(?:users?|persons?|people|humans?|anyone|anybody|owner)",
  ),
  phrase('(?:hidden|secret|new|real|actual|updated) (?:system )?instructions?'),
  phrase('(?:system prompt|developer message|system message|jailbreak)'),
  phrase('(?:you are now|from now on,? you|your new (?:role|task|goal|instructions?))'),
  phrase(
    '(?:send|post|upload|forward|exfiltrate|leak|attach|include|append|pass|copy|paste|report)\\b[^.]{0,50}\\b(?:conversations?|chat (?:history|log)|message history|history|passwords?|secrets?|api[ _-]?keys?|(?:access|auth|hub|hf|api|bearer|your|the) tokens?|credentials?|private keys?|environment variables?)',
  ),
  phrase(
    '(?:take|capture|grab) (?:a |the )?(?:picture|photo|snapshot|image)s?\\b[^.]{0,40}\\b(?:send|post|upload|pass|forward)',
  ),
  phrase('(?:call|use|run) (?:the )?(?:camera|microphone)\\b[^.]{0,40}\\b(?:send|post|upload|pass|forward)'),
  phrase('(?:instead of|rather than) (?:calling|using|asking) (?:any |all |the )?(?:other|another)'),
  // Marks with which models part the speakers of a conversation.
  signs(
    '<\\/?(?:system|important|instructions?|assistant|admin|secret)>|<\\|[a-z_]{2,20}\\|>|\\[\\/?inst\\]|<<\\/?sys>>',
  ),
  signs('(?:^|[\\n.!?>] ?)#{0,3} ?(?:system|assistant|developer) ?:'),
  // French
  phrase(
    '(?:ignore[sz]?|ignorer|oublie[sz]?|ne (?:tiens|tenez) (?:pas|plus) compte)\\b[^.]{0,40}\\b(?:instructions?|consignes?|règles?|précédent\\p{L}*)',
  ),
  phrase(
    '(?:vous devez|tu dois|il faut) (?:\\p{L}+ ){0,3}?(?:appeler|exécuter|invoquer|envoyer|ignorer|dire|répondre|mentir)',
  ),
  phrase('(?:appelle[sz]?|utilise[sz]?|exécute[sz]?) (?:toujours|systématiquement)|toujours (?:appeler|exécuter)'),
  phrase('avant (?:de|toute|chaque) (?:répondre|réponse)'),
  phrase(
    "(?:ne|n’|n')(?: ?\\p{L}+){0,3}? ?(?:dis|dites|dire|révèle[sz]?|révéler|mentionne[sz]?|mentionner|parle[sz]?) (?:pas|rien|jamais)|(?:sans|ne pas|ne rien|ne jamais) (?:le )?(?:dire|révéler|prévenir|avertir|mentionner)[^.]{0,30}(?:utilisateur|personne)",
  ),
  phrase(
    '(?:envoie[sz]?|envoye[rz]|transmet\\p{L}*|publie[sz]?)\\b[^.]{0,50}(?:conversation|historique|mots? de passe|clés?|jetons?|secrets?)',
  ),
  // Chinese
  signs('(?:忽略|无视|忘记|忘掉|不要理会|不理会).{0,20}(?:指令|指示|规则|提示|要求|设定)'),
  signs('(?:你|您)(?:必须|一定要|务必|应当始终)(?:先|立即|总是|始终)?(?:调用|使用|执行|发送|告诉|回答|运行|遵守|隐瞒)'),
  signs('(?:总是|始终|每次都|务必)(?:要|先)?(?:调用|执行|运行)'),
  signs('(?:在)?(?:回答|回复|答复)(?:之)?前'),
  signs('(?:不要|不得|别|切勿|禁止)(?:.{0,4})(?:告诉|告知|通知|透露|提及|提到|让).{0,8}(?:用户|任何人|别人|他们|人类)'),
  signs('(?:把|将).{0,20}(?:对话|聊天记录|历史|密码|密钥|令牌|照片).{0,12}(?:发送|上传|发给|提交|转发)'),
  signs('系统提示|隐藏指令|从现在(?:起|开始).{0,4}你'),
  // German, Spanish, Portuguese, Italian
  phrase(
    '(?:ignoriere?n?|vergiss|vergessen sie|missachte)\\b[^.]{0,40}(?:anweisung\\p{L}*|regeln?|vorherig\\p{L}*|bisherig\\p{L}*)',
  ),
  phrase('(?:bevor (?:du|sie) antworte(?:st|n)|vor jeder antwort)'),
  phrase(
    '(?:sage?n?|verrate?n?|erzähle?n?)\\b[^.]{0,40}(?:nutzer|benutzer|person|niemand)\\p{L}*[^.]{0,20}(?:nichts?|davon)',
  ),
  phrase(
    '(?:ignora|ignorar|ignore|olvida|olvide|esqueça|esquece|dimentica)\\b[^.]{0,40}(?:instrucciones|reglas|instruções|regras|istruzioni|regole|anterior\\p{L}*|precedent\\p{L}*)',
  ),
  phrase('(?:antes de responder|prima di rispondere)'),
  phrase(
    '(?:no (?:le )?digas?|não digas?|não conte|non dire)\\b[^.]{0,40}(?:usuario|usuário|utente|nadie|ninguém|nessuno)',
  ),
  // Russian, Japanese, Korean
  phrase('(?:игнорируй(?:те)?|забудь(?:те)?)[^.]{0,40}(?:инструкци\\p{L}*|указани\\p{L}*|правил\\p{L}*)'),
  phrase('не (?:говори|сообщай|рассказывай)(?:те)?[^.]{0,30}пользовател\\p{L}*'),
  signs(
    '指示(?:は|を)?(?:すべて|全て)?.{0,6}(?:無視|忘れ)|ユーザー?には?.{0,10}(?:言わない|伝えない|教えない|知らせない)|(?:回答|返答)する前に',
  ),
  signs('(?:지시|명령|규칙).{0,10}(?:무시|잊)|사용자에게.{0,12}(?:말하지|알리지)|답(?:변)?하기 전에'),
]

/** Whether a text gives the model orders, in any of the ways that it can be read. */
export const givesOrders = (text: string): boolean =>
  readings(text).some((reading) => ORDERS.some((order) => order.test(reading)))
