import { redacted } from './redacted.js'

const DATABASE = 'capstan'

/**
 * The database to ask for on a connection to this address: `capstan` when it names none, where the driver would take one called `test`;
 * undefined when it names one. Not put into the address, where it would name the users' database too.
 */
export function unnamedDatabase(uri: string): string | undefined {
  const [, place = ''] = /^mongodb(?:\+srv)?:\/\/([^?]*)/.exec(uri) ?? []
  const [, named = ''] = place.slice(place.lastIndexOf('@') + 1).split('/')
  return named === '' ? DATABASE : undefined
}

/** An address as `redacted` shows it, with its database. */
export function shownPlace(uri: string): string {
  const unnamed = unnamedDatabase(uri)
  return unnamed === undefined ? redacted(uri) : `${redacted(uri).replace(/\/$/, '')}/${unnamed}`
}
