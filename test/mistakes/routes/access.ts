import { refused, type Attempt, type Row } from './attempt.js'

/** Who may call a route, as the description says it. */
export type Access = 'open' | 'key' | 'admin'

const JSON_BODY = 'Content-Type: application/json'

/** Mistakes that are made with every route of an access. */
const OF_ACCESS: Readonly<Record<Access, readonly Row[]>> = {
  open: [],
  key: [
    refused(401, { auth: null }, 'Authorization: Bearer <API key>'),
    refused(401, { auth: '{key}' }, 'Authorization: Bearer <API key>', 'Bearer and a space'),
    refused(401, { auth: null, headers: { 'x-api-key': '{key}' } }, 'Authorization: Bearer <API key>', 'X-API-Key'),
    refused(401, { auth: 'Bearer {token}' }, 'admin token', '/admin/v1'),
    refused(401, { auth: 'Bearer {revoked}' }, 'revoked'),
  ],
  admin: [
    refused(401, { auth: null }, 'Authorization: Bearer <admin token>'),
    refused(401, { auth: '{token}' }, 'Authorization: Bearer <admin token>'),
    refused(401, { auth: 'Bearer {key}' }, 'API key', 'admin token', 'CAPSTAN_ADMIN_TOKEN'),
    refused(401, { auth: 'Basic {token}' }, 'Authorization: Bearer <admin token>'),
  ],
}

/** Mistakes with a JSON body, whatever the route. */
const OF_BODY: readonly Row[] = [
  refused(415, { body: 'a=1&b=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, JSON_BODY),
  refused(415, { body: '{}', headers: { 'content-type': 'text/plain' } }, JSON_BODY, 'text/plain'),
  refused(400, { body: "{'a': 1}" }, 'double quotes', 'character 2'),
  refused(400, { body: '{"a": 1,}' }, 'comma', 'character 9'),
  refused(400, { body: '[{"a": 1}]' }, 'JSON object', 'a list'),
  refused(400, { body: '"{\\"a\\": 1}"' }, 'JSON object', 'a text'),
  refused(400, { body: '{"a": None}' }, 'null', 'character 7'),
  refused(400, { body: '{"a": "b"' }, 'ends too early'),
]

const others: Readonly<Record<string, string>> = { GET: 'POST', POST: 'GET', PUT: 'POST', PATCH: 'PUT', DELETE: 'POST' }

/** The last word of a path that is no parameter, without its second letter. */
function misspelt(path: string): string {
  const parts = path.split('/')
  const at = parts.findLastIndex((part) => part !== '' && !part.startsWith('{'))
  const word = parts[at] ?? ''
  return parts.with(at, word.slice(0, 1) + word.slice(2)).join('/')
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly access: Access
  /** Takes a JSON body. */
  readonly json: boolean
  /** Methods that the path takes. */
  readonly methods: readonly string[]
}

/** The mistakes that are the same with every route of its kind. */
export function ofEveryRoute({ method, path, access, json, methods }: Operation): Attempt[] {
  const of = `${method} ${path}`
  const other = [others[method] ?? '', 'PUT', 'PATCH'].find((each) => !methods.includes(each)) ?? 'TRACE'
  const rows = [
    ...OF_ACCESS[access],
    refused(405, { method: other }, `Allow: `, new RegExp(`accepts .*${method}`)),
    // A path without a word cannot be misspelt.
    ...(path === '/' ? [] : [refused(404, { path: misspelt(path) }, 'did you mean', path, 'GET /v1/openapi.json')]),
    ...(json ? OF_BODY : []),
  ]
  return rows.map((row) => ({ of, ...row }))
}
