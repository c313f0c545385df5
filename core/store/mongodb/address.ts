import { redacted } from './redacted.js'

/** The database of an address that names none. */
export const DATABASE = 'capstan'

/** The database that an address names, null when it names none: the driver would take one called `test`. */
export function databaseIn(uri: string): string | null {
  const [, place = ''] = /^mongodb(?:\+srv)?:\/\/([^?]*)/.exec(uri) ?? []
  return place.slice(place.lastIndexOf('@') + 1).split('/')[1] || null
}

/** An address as `redacted` shows it, with its database. */
export function shownPlace(uri: string): string {
  const shown = redacted(uri)
  return databaseIn(uri) === null ? `${shown.replace(/\/$/, '')}/${DATABASE}` : shown
}
