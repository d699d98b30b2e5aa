import { describe, expect, it } from 'vitest'

import { errorWords } from '../strings/index.ts'

import { cleanReason, messageIn, providerError } from './said.ts'

describe('the reason in the body of an error', () => {
  it.each<[string, string | undefined]>([
    ['{"error":{"message":"model not found"}}', 'model not found'],
    ['{"error":"model \'x\' not found"}', "model 'x' not found"],
    ['[{"error":{"code":400,"message":"context too long"}}]', 'context too long'],
    ['{"detail":[{"loc":["body"],"msg":"field required"}]}', 'field required'],
    ['{"message":"no"}', 'no'],
    ['Bad gateway', 'Bad gateway'],
    ['{"error":{"code":400}}', undefined],
    ['{"error":{"message":"cut of', undefined],
    ['<!doctype html><p>Sign in</p>', undefined],
    ['', ''],
  ])('%s', (body, said) => {
    expect(messageIn(body)).toBe(said)
  })
})

describe('a reason as it is shown', () => {
  it.each([
    ['Incorrect API key provided: sk-proj-abc123.', 'Incorrect API key provided: sk-…'],
    ['Incorrect API key provided: sk-ab***********yz. See the page.', 'Incorrect API key provided: sk-…. See the page'],
    ['token hf_abcdefghij is bad', 'token hf_… is bad'],
    ['Authorization: Bearer abc.def-ghi, refused', 'Authorization: Bearer …, refused'],
    ['key AIzaSyA-1234567890 refused', 'key … refused'],
    ['hash 0123456789abcdef0123456789abcdef refused', 'hash … refused'],
    ['one\r\ntwo\u001b[31m three\u202e four', 'one two [31m three four'],
    ['mistral-small-3.2-24b-instruct-2506 is not there', 'mistral-small-3.2-24b-instruct-2506 is not there'],
    ['  over.  ', 'over'],
  ])('%j', (said, shown) => {
    expect(cleanReason(said)).toBe(shown)
  })

  it('has at most 300 characters', () => {
    expect(cleanReason('word '.repeat(5_000))).toHaveLength(300)
  })
})

describe('the sentence', () => {
  it.each([
    ['en', 'model not found', 'error (400): model not found. Your'],
    ['en', undefined, 'error (400): no reason given. Your'],
    ['zh-CN', 'model not found', '（400）：model not found。'],
    ['zh-CN', undefined, '（400）：没有给出原因。'],
    ['fr', 'model not found', '(400) : model not found. Votre'],
    ['fr', undefined, '(400) : aucune raison donnée. Votre'],
  ] as const)('%s, %s', (language, said, part) => {
    const { code, details } = providerError(400, { said })
    expect(errorWords(code as 'provider/error', details, language).message).toContain(part)
  })
})
