import { describe, expect, it } from 'vitest'

import { CompanionError } from '../../contract/index.ts'

import { parseAddress } from './address.ts'

describe('addresses', () => {
  it.each([
    ['https://example.com/mcp', 'https://example.com/mcp', false],
    [' https://example.com/mcp/ ', 'https://example.com/mcp/', false],
    ['https://example.com', 'https://example.com/', false],
    ['HTTPS://Example.COM/MCP', 'https://example.com/MCP', false],
    ['https://example.com/mcp?key=1#top', 'https://example.com/mcp?key=1', false],
    ['https://192.168.1.5:8443/mcp', 'https://192.168.1.5:8443/mcp', false],
    ['https://bücher.example/mcp', 'https://xn--bcher-kva.example/mcp', false],
    ['http://127.0.0.1:8123/mcp', 'http://127.0.0.1:8123/mcp', true],
    ['http://127.1/mcp', 'http://127.0.0.1/mcp', true],
    ['http://localhost:3000/sse', 'http://localhost:3000/sse', true],
    ['http://localhost.:3000/sse', 'http://localhost.:3000/sse', true],
    ['http://api.localhost/mcp', 'http://api.localhost/mcp', true],
    ['http://homeassistant.local:8123/mcp_server/sse', 'http://homeassistant.local:8123/mcp_server/sse', true],
    ['http://10.0.0.7/mcp', 'http://10.0.0.7/mcp', true],
    ['http://172.16.0.1/mcp', 'http://172.16.0.1/mcp', true],
    ['http://172.31.255.255/mcp', 'http://172.31.255.255/mcp', true],
    ['http://192.168.178.20/mcp', 'http://192.168.178.20/mcp', true],
    ['http://169.254.10.1/mcp', 'http://169.254.10.1/mcp', true],
    ['http://[::1]:8080/mcp', 'http://[::1]:8080/mcp', true],
    ['http://[fd12:3456::1]/mcp', 'http://[fd12:3456::1]/mcp', true],
    ['http://[fe80::1]/mcp', 'http://[fe80::1]/mcp', true],
    ['http://[::ffff:192.168.1.5]/mcp', 'http://[::ffff:c0a8:105]/mcp', true],
  ])('%s', (text, url, plainHttp) => {
    expect(parseAddress(text)).toEqual({ url, plainHttp })
  })

  it.each([
    '',
    'example.com/mcp',
    'homeassistant.local:8123',
    'http://example.com/mcp',
    'http://8.8.8.8/mcp',
    'http://172.15.0.1/mcp',
    'http://172.32.0.1/mcp',
    'http://192.169.0.1/mcp',
    'http://0.0.0.0/mcp',
    'http://[2001:db8::1]/mcp',
    'http://[::ffff:8.8.8.8]/mcp',
    'http://[fe00::1]/mcp',
    'http://localhost.example.com/mcp',
    'http://127.0.0.1.example.com/mcp',
    'http://evil-local/mcp',
    'http://local/mcp',
    'http://homeassistant/mcp',
    'http://fd00.example.com/mcp',
    'https://user@example.com/mcp',
    'https://user:secret@example.com/mcp',
    'https://huggingface.co@evil.example/mcp',
    'http://192.168.1.5@evil.example/mcp',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ws://127.0.0.1/mcp',
    'stdio://local-server',
    'https://',
    'http:127.0.0.1/mcp',
  ])('refuses %s', (text) => {
    expect(() => parseAddress(text)).toThrow(CompanionError)
    expect(() => parseAddress(text)).toThrow('server/bad-address')
  })
})
