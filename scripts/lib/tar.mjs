import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'

const BLOCK = 512
const text = (block, from, to) => block.toString('utf8', from, to).replace(/\0.*$/s, '')

/**
 * Name and size in a tar header, or `null` for the end mark.
 * Layout: POSIX.1-1988 "ustar": name at 0, size in octal at 124, type at 156, name prefix at 345.
 */
export function tarHeader(block) {
  if (block.every((byte) => byte === 0)) return null
  const prefix = text(block, 345, 500)
  const name = text(block, 0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: Number.parseInt(text(block, 124, 136).trim() || '0', 8),
    isFile: block[156] === 0x30 || block[156] === 0,
  }
}

/**
 * Writes one file of a `.tgz` to `target`; npm's packages are such archives, and not every system has a tar program.
 * @returns {Promise<boolean>} whether the archive holds it.
 */
export async function extractFromTgz(archive, wanted, target) {
  const stream = createReadStream(archive).pipe(createGunzip())
  let buffered = Buffer.alloc(0)
  let skip = 0
  let remaining = -1
  let output = null
  try {
    for await (const chunk of stream) {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
      for (;;) {
        const dropped = Math.min(skip, buffered.length)
        buffered = buffered.subarray(dropped)
        skip -= dropped
        if (skip > 0) break
        if (remaining >= 0) {
          const part = buffered.subarray(0, remaining)
          await output.write(part)
          remaining -= part.length
          if (remaining === 0) return true
          buffered = Buffer.alloc(0)
          break
        }
        if (buffered.length < BLOCK) break
        const header = tarHeader(buffered.subarray(0, BLOCK))
        buffered = buffered.subarray(BLOCK)
        if (header === null) return false
        if (header.isFile && header.name === wanted) {
          output = await open(target, 'w')
          remaining = header.size
        } else skip = Math.ceil(header.size / BLOCK) * BLOCK
      }
    }
    return false
  } finally {
    stream.destroy()
    await output?.close()
  }
}
