import { png } from './png.ts'
import { text, type SpaceTool } from './space-tools.ts'

import type { JsonObject } from '../../electron/contract/index.ts'
import type { SpaceFiles } from './space-files.ts'

export interface MediaOptions {
  /** Put before every name, as the name of the Space is. Default none. */
  readonly prefix?: string
  /** Where `foreign_file` says its file is. Default a host that does not exist. */
  readonly elsewhere?: string
  /** Size of `big_file`, bytes. Default 26 MB. */
  readonly bigBytes?: number
}

const NOTHING: JsonObject = { type: 'object', properties: {} }

/** A second of an even tone: RIFF/WAVE, 8 kHz, mono, 8 bit (http://soundfile.sapp.org/doc/WaveFormat/). */
export function wav(seconds = 1, hertz = 440): Buffer {
  const samples = Math.round(seconds * 8_000)
  const bytes = Buffer.alloc(44 + samples)
  bytes.write('RIFF', 0, 'ascii')
  bytes.writeUInt32LE(36 + samples, 4)
  bytes.write('WAVEfmt ', 8, 'ascii')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(8_000, 24)
  bytes.writeUInt32LE(8_000, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36, 'ascii')
  bytes.writeUInt32LE(samples, 40)
  for (let at = 0; at < samples; at += 1) {
    bytes[44 + at] = 128 + Math.round(60 * Math.sin((2 * Math.PI * hertz * at) / 8_000))
  }
  return bytes
}

/** Enough of an MP4 to be told from a text: its `ftyp` box and an empty `mdat` (ISO/IEC 14496-12). */
function mp4(): Buffer {
  const ftyp = Buffer.from('\0\0\0\u0018ftypisom\0\0\u0002\0isommp41', 'latin1')
  return Buffer.concat([ftyp, Buffer.from('\0\0\0\u0008mdat', 'latin1')])
}

/**
 * Tools that answer with what is no text. Gradio sends pictures as blocks with their address behind, and audio, video and
 * files as the bare address of the file.
 */
export function mediaTools(files: SpaceFiles, options: MediaOptions = {}): SpaceTool[] {
  const {
    prefix = '',
    elsewhere = 'https://elsewhere.invalid/gradio_api/file=/srv/x.wav',
    bigBytes = 26_000_000,
  } = options
  const tool = (name: string, description: string, run: SpaceTool['run']): SpaceTool => ({
    name: `${prefix}${name}`,
    description,
    inputSchema: NOTHING,
    endpoint: name,
    run,
  })
  const picture = (): Buffer => png(16, 16, (x, y) => [x * 16, y * 16, 128])
  return [
    tool('picture', 'Answers with a picture.', () => [
      { type: 'image', data: picture().toString('base64'), mimeType: 'image/png' },
      ...text(`Image URL: ${files.add('image.png', 'image/png', picture())}`),
    ]),
    tool('sound', 'Answers with a sound.', () => text(files.add('audio.wav', 'audio/wav', wav()))),
    tool('film', 'Answers with a film.', () => text(files.add('film.mp4', 'video/mp4', mp4()))),
    tool('paper', 'Answers with a document.', () =>
      text(files.add('report.pdf', 'application/pdf', Buffer.from('%PDF-1.4\n%%EOF\n'))),
    ),
    tool('sound_block', 'Answers with a sound as a block.', () => [
      { type: 'audio', data: wav(0.2).toString('base64'), mimeType: 'audio/wav' },
    ]),
    tool('several', 'Answers with a number, a sound and a picture.', () => [
      ...text('3'),
      ...text(files.add('audio.wav', 'audio/wav', wav())),
      { type: 'image', data: picture().toString('base64'), mimeType: 'image/png' },
    ]),
    tool('foreign_file', 'Answers with an address somewhere else.', () => text(elsewhere)),
    tool('moved_file', 'Answers with an address that leads somewhere else.', () =>
      text(files.addRedirect('moved.wav', elsewhere)),
    ),
    tool('gone_file', 'Answers with the address of a file that is not kept any more.', () =>
      text(files.gone('old.wav')),
    ),
    tool('big_file', 'Answers with the address of a large file.', () =>
      text(files.add('big.bin', 'application/octet-stream', Buffer.alloc(bigBytes))),
    ),
  ]
}
