import { describe, expect, it } from 'vitest'

import { errorsOf, isModelAddress } from './settings-form.ts'

import type { SettingsForm } from './settings-form.ts'

const form = (over: Partial<SettingsForm>): SettingsForm => ({
  kind: 'openai-compatible',
  baseUrl: 'https://llm.example/v1',
  model: 'm',
  modelKey: '',
  hubToken: '',
  ...over,
})

describe('isModelAddress', () => {
  it.each([
    ['https://api.example/v1', true],
    ['http://localhost:11434/v1', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:8080/v1', true],
    ['http://192.168.1.4:8080/v1', false],
    ['http://localhost.example/v1', false],
    ['https://user:pass@api.example/v1', false],
    ['file:///etc/passwd', false],
    ['api.example/v1', false],
    ['', false],
  ])('%s → %s', (text, expected) => {
    expect(isModelAddress(text)).toBe(expected)
  })
})

describe('errorsOf', () => {
  it.each<[Partial<SettingsForm>, ReturnType<typeof errorsOf>]>([
    [{}, {}],
    [{ baseUrl: ' ' }, { baseUrl: 'needed' }],
    [{ baseUrl: 'ftp://x' }, { baseUrl: 'badAddress' }],
    [{ model: '' }, { model: 'needed' }],
    [{ kind: 'offline', baseUrl: 'nonsense', model: '' }, {}],
    [{ hubToken: 'sk-123' }, { hubToken: 'notAToken' }],
    [{ hubToken: ' hf_abc ' }, {}],
  ])('%j', (over, errors) => {
    expect(errorsOf(form(over))).toEqual(errors)
  })
})
