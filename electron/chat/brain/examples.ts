/** Sentences that lead to well-known tools, by short name; they are indexed, and the first English ones are suggested. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  play_emotion: [
    'Show me how you look when you are curious',
    'Be happy',
    'Wave goodbye',
    'Montre-moi ta joie',
    '做个开心的表情',
  ],
  move_head: ['Look to the left', 'Look up at the ceiling', 'Regarde à gauche', '看左边'],
  dance: ['Dance for me', 'Do a little dance', 'Danse pour moi', '跳个舞'],
  sweep_look: ['Look around', 'Regarde autour de toi', '看看四周'],
  go_to_sleep: ['Go to sleep', 'Va dormir', '去睡觉'],
  get_weather: [
    'What is the weather in Bordeaux?',
    'Do I need a jacket in Paris today?',
    'Quel temps fait-il à Lyon ?',
    '北京天气怎么样？',
  ],
  search_web: [
    'Search the web for robot news',
    'What is on downtown tonight?',
    'Cherche des nouvelles des robots',
    '搜索机器人新闻',
  ],
  web_search: ['Search the web for robot news', 'What is on downtown tonight?'],
  get_time: ['What time is it in Tokyo?', 'Quelle heure est-il à Tokyo ?', '东京现在几点？'],
  get_current_time: ['What time is it in Tokyo?', 'Quelle heure est-il à Tokyo ?', '东京现在几点？'],
  echo: ['Echo hello world', 'Say hello world with echo'],
  get_sum: ['What is the sum of 2 and 3?', 'Add 2 and 3', 'Additionne 2 et 3'],
  get_tiny_image: ['Show me the tiny image'],
  translate: ['Translate “good morning”', 'Traduis « bonjour »'],
  generate_image: ['Draw a robot in the rain', 'Dessine un robot sous la pluie', '画一个机器人'],
  letter_counter: ['Count the letter “r” in “strawberry”'],
}

/** Examples of a tool by its short name; `get-sum` and `get_sum` are one. */
export function examplesOf(shortName: string): readonly string[] {
  const key = shortName.replace(/-/g, '_').toLowerCase()
  return Object.hasOwn(EXAMPLES, key) ? EXAMPLES[key]! : []
}
