import type {
  Avatar,
  ProfileDetails,
  ProfileModel,
  ProfilePermission,
  RouteRequest,
} from '../../../../electron/contract/index.ts'

/** A face that looks straight ahead: what sliders begin with where nothing was chosen. */
export const PLAIN_AVATAR: Avatar = { roll: 0, antennas: [10, 10], gaze: [0, 0], tint: 'accent' }

export type ModelChoice = 'app' | ProfileModel['kind']

/** What the dialog holds while one edits. */
export interface DetailsForm {
  title: string
  purpose: string
  /** `null`: the face that comes with the profile's name. */
  avatar: Avatar | null
  model: ModelChoice
  /** For `named`. */
  modelName: string
  /** Tools that have one of their own; the others do as everywhere. */
  permissions: Readonly<Record<string, ProfilePermission>>
}

export function formOf({ title, purpose, avatar, model, permissions }: ProfileDetails): DetailsForm {
  return {
    title: title ?? '',
    purpose: purpose ?? '',
    avatar: avatar ?? null,
    model: model?.kind ?? 'app',
    modelName: model?.kind === 'named' ? model.model : '',
    permissions: permissions ?? {},
  }
}

export type DetailsFault = 'model'

/** What keeps the form from being saved; `null`: nothing. */
export function detailsFault({ model, modelName }: DetailsForm): DetailsFault | null {
  return model === 'named' && modelName.trim() === '' ? 'model' : null
}

export type DetailsChange = RouteRequest<'profiles.setDetails'>['details']

const textOf = (text: string): string | null => text.trim() || null

function modelOf({ model, modelName }: DetailsForm): ProfileModel | null {
  if (model === 'app') return null
  return model === 'offline' ? { kind: 'offline' } : { kind: 'named', model: modelName.trim() }
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What has to be said to come from one form to the other: only what differs. */
export function detailsChange(from: DetailsForm, to: DetailsForm): DetailsChange {
  const ids = new Set([...Object.keys(from.permissions), ...Object.keys(to.permissions)])
  const permissions = [...ids]
    .filter((id) => from.permissions[id] !== to.permissions[id])
    .map((id) => [id, to.permissions[id] ?? null] as const)
  return {
    ...(textOf(from.title) === textOf(to.title) ? {} : { title: textOf(to.title) }),
    ...(textOf(from.purpose) === textOf(to.purpose) ? {} : { purpose: textOf(to.purpose) }),
    ...(same(from.avatar, to.avatar) ? {} : { avatar: to.avatar }),
    ...(same(modelOf(from), modelOf(to)) ? {} : { model: modelOf(to) }),
    ...(permissions.length === 0 ? {} : { permissions: Object.fromEntries(permissions) }),
  }
}

export const isEmptyChange = (change: DetailsChange): boolean => Object.keys(change).length === 0
