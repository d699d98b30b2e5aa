import { withoutAccents } from './language.ts'

/** Words that say nothing about which tool is meant, in the three languages. */
const EMPTY = new Set(
  (
    'a an the is are am was were be been being do does did doing i me my we us our you your he she it its they them this that these those ' +
    'what which who whom whose how why when where in on at of for to from by with about as and or but so if then than please can could ' +
    'would will shall should may might must let lets want need like just now today tonight tomorrow here there some any all very really too ' +
    'get give make use using run call tool tools show tell go have has had s t m re ve ll d ' +
    'le la les un une des du de au aux et ou est suis es sont ai as avons avez ont ce cet cette ces mon ma mes ton ta tes son sa ses je tu il ' +
    'elle nous vous ils elles on qui que quoi quel quelle quels quelles comment pourquoi combien dans pour avec sur par ne pas moi toi fais fait ' +
    'faire peux peut veux voudrais besoin montre dis donne l c j n qu y en aujourd hui demain maintenant svp plait utilise outil ' +
    '的 了 吗 呢 吧 啊 我 你 他 她 它 我们 你们 请 帮 帮我 给 给我 一 一下 一个 个 是 在 有 和 与 把 被 这 那 什么 怎么 怎么样 如何 为什么 谁 ' +
    '现在 今天 明天 今晚 用 使用 工具 想 要 能 可以 会 很 太 真 好'
  ).split(' '),
)

/** Common words of the other two languages for what tools are called in English. */
const ENGLISH: Readonly<Record<string, string>> = {
  meteo: 'weather',
  temps: 'weather',
  temperature: 'weather',
  pluie: 'weather',
  pleuvoir: 'weather',
  pleut: 'weather',
  天气: 'weather',
  气温: 'weather',
  温度: 'weather',
  下雨: 'weather',
  cherche: 'search',
  chercher: 'search',
  recherche: 'search',
  rechercher: 'search',
  trouve: 'search',
  搜索: 'search',
  搜: 'search',
  查找: 'search',
  查: 'search',
  查询: 'search',
  找: 'search',
  heure: 'time',
  时间: 'time',
  几点: 'time',
  点: 'time',
  image: 'image',
  photo: 'image',
  picture: 'image',
  dessin: 'image',
  dessine: 'draw',
  图片: 'image',
  图像: 'image',
  照片: 'image',
  画: 'draw',
  somme: 'sum',
  additionne: 'sum',
  addition: 'sum',
  add: 'sum',
  plus: 'sum',
  加: 'sum',
  总和: 'sum',
  和是: 'sum',
  traduis: 'translate',
  traduire: 'translate',
  traduction: 'translate',
  翻译: 'translate',
  compte: 'count',
  compter: 'count',
  数: 'count',
  lettre: 'letter',
  lettres: 'letter',
  字母: 'letter',
  mot: 'word',
  单词: 'word',
  repete: 'echo',
  repeat: 'echo',
  重复: 'echo',
  nouvelles: 'news',
  actualites: 'news',
  新闻: 'news',
  souviens: 'remember',
  retiens: 'remember',
  记住: 'remember',
  rain: 'weather',
  raining: 'weather',
  forecast: 'weather',
  jacket: 'weather',
  umbrella: 'weather',
  google: 'search',
  lookup: 'search',
  clock: 'time',
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** All words of a text, lower case, without accents; Chinese is split into its words, names at `_`, `-` and humps. */
export function words(text: string): string[] {
  const spaced = text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_\-./]+/g, ' ')
    .replaceAll('’', "'")
    .replaceAll("'", ' ')
  return [...segmenter.segment(withoutAccents(spaced.toLowerCase()))]
    .filter((part) => part.isWordLike)
    .map((part) => part.segment)
}

/** The words of a text that can tell a tool, in English where a common translation is known. */
export function contentWords(text: string): string[] {
  return words(text)
    .filter((word) => !EMPTY.has(word))
    .map((word) => (Object.hasOwn(ENGLISH, word) ? ENGLISH[word]! : word))
}
