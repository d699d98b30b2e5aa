import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isRepositoryId, toHost, toSpaceInfo, toStage } from './space-info.ts'

describe('isRepositoryId', () => {
  it.each(['a/b', 'pollen-robotics/reachy-mini-search-tool', 'microsoft/TRELLIS.2', 'a_b/_c', `o/${'n'.repeat(96)}`])(
    'takes %s',
    (text) => expect(isRepositoryId(text)).toBe(true),
  )

  it.each([
    'a',
    'a/',
    '/b',
    'a/b/c',
    'a b/c',
    'a/b?x',
    'a/../b',
    'a/b--c',
    'a/b..c',
    '-a/b',
    'a/b-',
    'a/.b',
    'a/b.',
    'a/b.git',
    'a/bär',
    `o/${'n'.repeat(97)}`,
    'a/b\n',
  ])('refuses %j', (text) => expect(isRepositoryId(text)).toBe(false))
})

describe('toSpaceInfo', () => {
  it('reads the answer of one Space', () => {
    const info = toSpaceInfo({
      id: 'acme/Rain',
      likes: 3,
      sdk: 'Gradio',
      private: true,
      gated: 'auto',
      tags: ['gradio', 5, 'mcp-server'],
      subdomain: 'acme-rain',
      host: 'https://acme-rain.hf.space',
      runtime: { stage: 'SLEEPING', hardware: { current: null, requested: 'zero-a10g' } },
      cardData: { title: 'Rain?', emoji: '🌧️', short_description: 'Tells\nthe\u0000 weather' },
    })
    expect(info).toEqual({
      slug: 'acme/Rain',
      title: 'Rain?',
      author: 'acme',
      emoji: '🌧️',
      likes: 3,
      sdk: 'gradio',
      private: true,
      disabled: false,
      gated: true,
      tags: ['gradio', 'mcp-server'],
      stage: 'SLEEPING',
      hardware: 'zero-a10g',
      description: 'Tells the weather',
      subdomain: 'acme-rain',
      host: 'https://acme-rain.hf.space',
    })
  })

  it('does without everything but the id', () => {
    expect(toSpaceInfo({ id: 'acme/rain' })).toEqual({
      slug: 'acme/rain',
      title: 'rain',
      author: 'acme',
      likes: 0,
      sdk: '',
      private: false,
      disabled: false,
      gated: false,
      tags: [],
      description: '',
    })
  })

  it('does with fields of another kind', () => {
    const odd = { id: 'acme/rain', likes: 'many', private: 'no', tags: {}, runtime: 'RUNNING', cardData: [1], sdk: 7 }
    expect(toSpaceInfo(odd)).toEqual(toSpaceInfo({ id: 'acme/rain' }))
  })

  it('caps texts and takes the marks out that turn writing around', () => {
    const info = toSpaceInfo({ id: 'a/b', title: `\u202eevil${'x'.repeat(500)}`, shortDescription: 'y'.repeat(5_000) })
    expect(info?.title).toMatch(/^evilx+…$/)
    expect(info?.title).toHaveLength(100)
    expect(info?.description).toHaveLength(300)
  })

  it('never throws, and keeps control characters out', () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            id: fc.constant('a/b'),
            title: fc.anything(),
            emoji: fc.anything(),
            tags: fc.anything(),
            runtime: fc.anything(),
            cardData: fc.anything(),
          },
          { requiredKeys: ['id'] },
        ),
        (answer) => {
          const info = toSpaceInfo(answer)

          expect(JSON.stringify([info?.title, info?.emoji, info?.tags])).not.toMatch(
            /\\u00[01]|[\u0000-\u001f\u007f-\u009f]/,
          )
        },
      ),
    )
  })

  it.each([null, [], 'x', {}, { id: 5 }, { id: '../../x' }, { id: 'a/b?token=1' }])('is null for %j', (answer) => {
    expect(toSpaceInfo(answer)).toBeNull()
  })
})

describe('toStage, toHost', () => {
  it('takes what is there', () => {
    expect([toStage({ stage: 'MELTING' }), toStage({}), toStage({ stage: 5 }), toStage('RUNNING')]).toEqual([
      'MELTING',
      undefined,
      undefined,
      undefined,
    ])
    expect(toHost({ host: 'https://x.hf.space', subdomain: 'x', more: 1 })).toEqual({
      host: 'https://x.hf.space',
      subdomain: 'x',
    })
    expect([toHost({ host: 1 }), toHost(null)]).toEqual([{}, {}])
  })
})
