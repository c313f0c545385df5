import { expect } from 'chai'
import { nearestPath } from '../../../core/http/router.js'

const KNOWN = [
  '/v1/search',
  '/v1/scrape',
  '/v1/files',
  '/v1/files/convert',
  '/v1/files/formats',
  '/v1/keys',
  '/v1/keys/{key_id}',
  '/v1/keys/{key_id}/rotate',
  '/healthz',
  '/files/{id}/{name}',
  '/admin/v1/accounts',
  '/admin/v1/accounts/{id}',
]
const MEANT: readonly (readonly [string, string | null])[] = [
  ['/v1/serach', '/v1/search'],
  ['/v1/search/', '/v1/search'],
  ['/V1/Search', '/v1/search'],
  ['/search', '/v1/search'],
  ['/v1/healthz', '/healthz'],
  ['/v1/accounts', '/admin/v1/accounts'],
  ['/admin/accounts', '/admin/v1/accounts'],
  ['/v1/formats', '/v1/files/formats'],
  ['/v1/search/serp', '/v1/search'],
  ['/v1/files.convert', '/v1/files/convert'],
  ['/v1/key', '/v1/keys'],
  ['/v1/kesy/key_1', '/v1/keys/{key_id}'],
  ['/v1/keys/key_1/rotat', '/v1/keys/{key_id}/rotate'],
  ['/v1/keys//rotate', '/v1/keys'],
  ['/v1', null],
  ['/', null],
  ['/wp-login.php', null],
  ['/v1/something/else', null],
  [`/v1/${'search'.repeat(30)}`, null],
]

describe('the path that a mistyped one meant', () => {
  for (const [given, wanted] of MEANT)
    it(`${given.slice(0, 40)}: ${String(wanted)}`, () => expect(nearestPath(given, KNOWN)).to.equal(wanted))
})
