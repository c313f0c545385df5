import { word } from './forms.js'

/** Beginnings of definitions that several settings share. */

export const port = { type: 'integer', min: 0, max: 65535 } as const
export const count = { type: 'integer', min: 1, max: 1_000_000 } as const
export const days = { type: 'integer', min: 0, max: 36_500 } as const
export const unset = { type: 'string', default: null, form: word, absent: 'none' } as const
export const seconds = { type: 'duration', min: 1 } as const
export const slots = { type: 'integer', default: null, min: 1, max: 1024, absent: 'by CPU count' } as const
export const form = { type: 'enum', values: ['auto', 'text', 'json'] } as const
