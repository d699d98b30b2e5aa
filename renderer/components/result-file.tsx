import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { base64Bytes, formatBytes } from '../app/bytes.ts'
import { failureText } from '../app/failure-text.ts'
import { saveBytes } from '../app/save-bytes.ts'

import { IconButton } from './button.tsx'

import type { ToolFile, ToolImage } from '../../electron/contract/index.ts'

const dataUrl = ({ mimeType, data }: { mimeType: string; data: string }): string => `data:${mimeType};base64,${data}`
const extension = (mimeType: string): string => mimeType.split('/')[1]?.replace(/\+.*|[^a-z0-9]/g, '') ?? 'bin'

/** A picture that a tool answered with, its size, and a way to keep it. */
export function ResultPicture({ id, image }: { id: string; image: ToolImage }) {
  const { t, i18n } = useTranslation('detail')
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const name = `${id.split('__').at(-1) ?? id}.${extension(image.mimeType)}`
  return (
    <figure className="grid min-w-0 content-start gap-1.5">
      <img
        alt={t('result.pictureFrom', { id })}
        src={dataUrl(image)}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize({ width: naturalWidth, height: naturalHeight })
        }
        className="max-h-80 max-w-full rounded-control bg-sunken"
      />
      <figcaption className="flex items-center gap-2 text-small text-ink-3">
        {size && t('result.size', { ...size, bytes: formatBytes(i18n.language, base64Bytes(image.data)) })}
        <IconButton size="s" label={t('result.save', { name })} onClick={() => saveBytes(name, image)}>
          <Download aria-hidden="true" />
        </IconButton>
      </figcaption>
    </figure>
  )
}

/** A file that a tool's answer named: heard or seen here where that is possible, and to be saved. */
export function ResultFile({ id, file }: { id: string; file: ToolFile }) {
  const { t, i18n } = useTranslation('detail')
  const { name, mimeType, data, problem } = file
  if (data === undefined) {
    return (
      <p className="text-small wrap-anywhere text-ink-2">
        {name} {problem && failureText(t, problem).message}
      </p>
    )
  }
  if (mimeType.startsWith('image/')) return <ResultPicture id={id} image={{ mimeType, data }} />
  return (
    <div className="grid gap-1">
      {mimeType.startsWith('audio/') && <audio controls src={dataUrl({ mimeType, data })} className="w-full" />}
      {mimeType.startsWith('video/') && (
        <video controls src={dataUrl({ mimeType, data })} className="max-h-80 max-w-full rounded-control" />
      )}
      <p className="flex min-w-0 items-center gap-2 text-small text-ink-2">
        <span className="min-w-0 truncate" title={name}>
          {name}
        </span>
        <span className="shrink-0 text-ink-3">{formatBytes(i18n.language, file.bytes)}</span>
        <IconButton size="s" label={t('result.save', { name })} onClick={() => saveBytes(name, { mimeType, data })}>
          <Download aria-hidden="true" />
        </IconButton>
      </p>
    </div>
  )
}
