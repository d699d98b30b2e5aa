import { describe, expect, it } from 'vitest'

import { EMOTION_INTENTS, INTENT_CLIPS, NAMED_CLIPS, RANDOM_POOL } from './intents.ts'
import { intentInWords, resolveEmotion } from './resolve.ts'
import { emotionWords } from './words.ts'

const everything = [...NAMED_CLIPS]
const resolve = (intent: string, available: readonly string[] = everything): string =>
  resolveEmotion(intent, available, () => 0.5)
const atRandom = resolve('')

describe('resolving an emotion', () => {
  it('knows 42 intents, a pool of 47 and 52 names', () => {
    expect([EMOTION_INTENTS.length, RANDOM_POOL.length, NAMED_CLIPS.size]).toEqual([42, 47, 52])
    expect(new Set(EMOTION_INTENTS).size).toBe(42)
  })

  it.each([
    ['no_sad1', 'no_sad1'],
    ['sad no', 'no_sad1'],
    ['No, but SAD!', 'no_sad1'],
    ['no_excited', 'no_excited1'],
    ['yes_understanding', 'understanding2'],
    ['  Happy ', 'laughing2'],
    ['heureux', 'laughing2'],
    ['Très heureuse', 'laughing2'],
    ['en colère', 'rage1'],
    ['EFFRAYÉ', 'scared1'],
    ['écœuré', 'disgusted1'],
    ["va-t'en", 'go_away1'],
    ['va t’en', 'go_away1'],
    ['étonnée', 'surprised1'],
    ['开心', 'laughing2'],
    ['我很难过', 'sad1'],
    ['有点不开心', 'sad1'],
    ['非常惊讶！', 'surprised1'],
    ['跳个舞吧', 'dance2'],
    ['I am so grateful', 'grateful1'],
    ['peut-être', 'uncertain1'],
  ])('%s → %s', (intent, clip) => expect(resolve(intent)).toBe(clip))

  it('takes anything else at random, from the pool while it can', () => {
    for (const intent of ['', ' ', 'random', 'contento', 'qwerty', '随机', 'cheerful1', '!!!']) {
      expect(resolve(intent)).toBe(atRandom)
    }
    expect(RANDOM_POOL).toContain(atRandom)
    expect(resolve('contento', ['zebra1', 'zebra2'])).toBe('zebra2')
  })

  it('falls back along the list of an intent, then to random', () => {
    expect(resolve('sad', ['downcast1', 'yes1'])).toBe('downcast1')
    expect(resolve('electric', ['yes1'])).toBe('yes1')
  })

  it.each(['en', 'fr', 'zh-CN'] as const)('understands every word of every intent in %s', (language) => {
    for (const intent of EMOTION_INTENTS) {
      expect(emotionWords[intent][language].length).toBeGreaterThan(2)
      const misread = emotionWords[intent][language].filter((word) => intentInWords(word) !== intent)
      expect(misread, intent).toEqual([])
    }
  })

  it('lists clips for every intent but random', () => {
    expect(Object.keys(INTENT_CLIPS)).toHaveLength(41)
    for (const clips of Object.values(INTENT_CLIPS)) for (const clip of clips) expect(NAMED_CLIPS).toContain(clip)
  })
})
