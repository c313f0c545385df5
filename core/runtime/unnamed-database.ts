const DATABASE = 'capstan'

/**
 * The database to ask for on a connection to this address of MongoDB: `capstan` when it names none, where the driver would take one called
 * `test`; undefined when it names one. Not put into the address, where it would name the users' database too.
 */
export function unnamedDatabase(uri: string): string | undefined {
  const [, place = ''] = /^mongodb(?:\+srv)?:\/\/([^?]*)/.exec(uri) ?? []
  const [, named = ''] = place.slice(place.lastIndexOf('@') + 1).split('/')
  return named === '' ? DATABASE : undefined
}
