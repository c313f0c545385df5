const DATABASE = 'capstan'

/**
 * The database for a connection to this address of MongoDB: `capstan` when it names none, where the driver would use `test`; undefined
 * when it names one. Not put into the address, where it would also become the authentication database.
 */
export function unnamedDatabase(uri: string): string | undefined {
  const [, place = ''] = /^mongodb(?:\+srv)?:\/\/([^?]*)/.exec(uri) ?? []
  const [, named = ''] = place.slice(place.lastIndexOf('@') + 1).split('/')
  return named === '' ? DATABASE : undefined
}
