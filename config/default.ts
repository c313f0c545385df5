import type { Definition, SettingsOf } from './definition.js'

export type { Definition } from './definition.js'

const port = { type: 'integer', min: 0, max: 65535 } as const
const count = { type: 'integer', min: 1, max: 1_000_000 } as const
const days = { type: 'integer', min: 0, max: 36_500 } as const
const slots = { type: 'integer', default: null, min: 1, max: 1024, absent: 'by CPU count' } as const
const key = { type: 'string', default: null, absent: 'none' } as const
const webAddress = { pattern: /^https?:\/\/[^\s/?#]+\S*$/i, says: 'an address that begins with http:// or https://' }
const hostAndPort = { pattern: /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i, says: 'host:port' }
const network = { pattern: /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:.]*:[0-9a-f:.]*)(?:\/\d{1,3})?$/i, says: 'an IP address or a CIDR range' }

/** The one list of settings of the core, in the order of the documentation. Plugins and vendors declare theirs themselves. */
export const definitions = {
  'server.host': { type: 'string', default: '127.0.0.1', variable: 'CAPSTAN_HOST', about: 'Address to listen on.' },
  'server.port': { ...port, default: 8420, variable: 'CAPSTAN_PORT', about: 'Port to listen on; 0 picks a free one and prints it.' },
  'server.public_url': {
    type: 'string',
    default: null,
    variable: 'CAPSTAN_PUBLIC_URL',
    form: webAddress,
    base: true,
    absent: 'http://host:port',
    about: 'Base of links and of error types.',
  },
  'server.admin_token': {
    type: 'string',
    default: null,
    variable: 'CAPSTAN_ADMIN_TOKEN',
    secret: true,
    absent: 'made at first start',
    about: 'Opens the admin API.',
  },
  'server.admin_host': { type: 'string', default: '127.0.0.1', variable: 'CAPSTAN_ADMIN_HOST', about: 'Address of metrics and probes.' },
  'server.admin_port': {
    ...port,
    default: null,
    variable: 'CAPSTAN_ADMIN_PORT',
    absent: 'port + 1',
    about: 'Port of metrics and probes; a taken default gives way to a free one.',
  },
  'server.admin_api': {
    type: 'enum',
    values: ['public', 'private'],
    default: 'public',
    variable: 'CAPSTAN_ADMIN_API',
    about: 'Where the admin API answers: on the main port, or on that of metrics and probes alone.',
  },
  'server.trusted_proxies': {
    type: 'list',
    default: [],
    variable: 'CAPSTAN_TRUSTED_PROXIES',
    form: network,
    about: 'Addresses or ranges whose X-Forwarded-For counts.',
  },
  'server.cors_origins': {
    type: 'list',
    default: [],
    variable: 'CAPSTAN_CORS_ORIGINS',
    form: { pattern: /^(?:\*|[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+)$/i, says: 'an origin such as https://app.example.com, or *' },
    about: 'Origins a browser may call from.',
  },
  data: {
    type: 'string',
    default: './data',
    variable: 'CAPSTAN_DATA',
    path: true,
    about: 'Folder of the embedded database and of artifacts.',
  },
  store: {
    type: 'string',
    default: 'sqlite:{data}/capstan.db',
    variable: 'CAPSTAN_STORE',
    path: true,
    form: { pattern: /^(?:sqlite:.+|mongodb(?:\+srv)?:\/\/.+)$/, says: 'sqlite:PATH or mongodb://…' },
    about: 'Database: `sqlite:PATH` or `mongodb://HOST/DATABASE` (`capstan` where none is named).',
  },
  redis: {
    type: 'string',
    default: null,
    variable: 'CAPSTAN_REDIS',
    form: { pattern: /^rediss?:\/\/[^?#]+$/, says: 'redis://[user:password@]host[:port][/database], without ?options' },
    absent: 'in memory',
    about: 'Redis for limits and suspensions that replicas share.',
  },
  artifacts: {
    type: 'string',
    default: 'file:{data}/artifacts',
    variable: 'CAPSTAN_ARTIFACTS',
    path: true,
    form: { pattern: /^(?:file:.+|s3:\/\/.+)$/, says: 'file:PATH or s3://bucket?region=…&endpoint=…' },
    about: 'Where files are kept: `file:PATH` or `s3://bucket/prefix?region=…&endpoint=…` (more in deploy/README.md).',
  },
  's3.access_key_id': { ...key, variable: 'CAPSTAN_S3_ACCESS_KEY_ID', about: 'Access key of the object store.' },
  's3.secret_access_key': { ...key, variable: 'CAPSTAN_S3_SECRET_ACCESS_KEY', secret: true, about: 'Secret of the access key.' },
  's3.session_token': { ...key, variable: 'CAPSTAN_S3_SESSION_TOKEN', secret: true, about: 'Session token of temporary credentials.' },
  artifacts_ttl: {
    type: 'duration',
    default: 3600,
    min: 1,
    max: 31_536_000,
    variable: 'CAPSTAN_ARTIFACTS_TTL',
    about: 'How long a file and its link live.',
  },
  artifacts_quota: {
    type: 'bytes',
    default: 1_073_741_824,
    min: 1,
    variable: 'CAPSTAN_ARTIFACTS_QUOTA',
    about: 'Room for the files and the kept answers of one account.',
  },
  plugins: {
    type: 'list',
    default: [],
    variable: 'CAPSTAN_PLUGINS',
    as: 'plugin_folders',
    separator: /[:,]/,
    path: true,
    packages: true,
    about: 'Further plugin folders or installed npm packages, separated by `:` or `,`; in the file a list, or `plugins.folders`.',
  },
  products: { type: 'lists', default: {}, variable: null, about: 'Named sets of capabilities beside `agent` and `browser`.' },
  'outbound.allow_private': {
    type: 'list',
    default: [],
    variable: 'CAPSTAN_ALLOW_PRIVATE',
    form: { pattern: /^[\w.:[\]*-]+(?:\/\d{1,3})?$/, says: 'host, host:port or a CIDR range' },
    about: 'Hosts (`host[:port]`) or ranges that calls may reach although they are not public.',
  },
  'outbound.proxy': {
    type: 'string',
    default: null,
    variable: 'CAPSTAN_PROXY',
    form: webAddress,
    about: 'Upstream proxy for web traffic.',
  },
  'outbound.per_host': {
    ...count,
    default: 8,
    variable: 'CAPSTAN_LIMIT_PER_HOST',
    about: 'Web fetches at once to one host, over all callers.',
  },
  'net.dns': {
    type: 'string',
    default: null,
    variable: 'CAPSTAN_DNS',
    form: { ...hostAndPort, says: 'ip:port' },
    absent: 'system',
    about: 'Name server for every look-up; without it those of `/etc/resolv.conf`, with its search list and `/etc/hosts`.',
  },
  'net.whois': { type: 'string', default: null, variable: 'CAPSTAN_WHOIS', form: hostAndPort, absent: 'by TLD', about: 'WHOIS server.' },
  'net.smtp_port': {
    ...port,
    min: 1,
    default: 25,
    variable: 'CAPSTAN_SMTP_PORT',
    about: 'Port of mail servers that are asked about an address.',
  },
  'limits.key_concurrency': { ...count, default: 20, variable: 'CAPSTAN_LIMIT_KEY_CONCURRENCY', about: 'Calls in flight for one key.' },
  'limits.account_concurrency': {
    ...count,
    default: 64,
    variable: 'CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY',
    about: 'Open holds of one account.',
  },
  'limits.keys': { ...count, default: 10_000, variable: 'CAPSTAN_LIMIT_KEYS', about: 'Active keys of one account.' },
  'limits.failed_logins': {
    ...count,
    default: 20,
    variable: 'CAPSTAN_LIMIT_FAILED_LOGINS',
    about: 'Unknown keys from one address within the window before 429.',
  },
  'limits.failed_logins_window': {
    type: 'duration',
    default: 900,
    min: 1,
    max: 86_400,
    variable: 'CAPSTAN_LIMIT_FAILED_LOGINS_WINDOW',
    about: 'Window of failed_logins.',
  },
  'limits.address_per_minute': {
    ...count,
    default: 600,
    variable: 'CAPSTAN_LIMIT_ADDRESS_PER_MINUTE',
    about: 'Requests a minute of one address on routes without a key.',
  },
  'limits.address_connections': {
    ...count,
    default: 1_000,
    variable: 'CAPSTAN_LIMIT_ADDRESS_CONNECTIONS',
    about: 'Open connections of one address that is no trusted proxy; more are closed at once.',
  },
  'limits.body': {
    type: 'bytes',
    default: 1_048_576,
    min: 1024,
    max: 1_073_741_824,
    variable: 'CAPSTAN_LIMIT_BODY',
    about: 'Request body where a capability says nothing else.',
  },
  'limits.upload': {
    type: 'bytes',
    default: 1_073_741_824,
    min: 1024,
    max: 1_099_511_627_776,
    variable: 'CAPSTAN_LIMIT_UPLOAD',
    about: 'Largest file that a caller uploads.',
  },
  'limits.cache': {
    type: 'bytes',
    default: 33_554_432,
    min: 1_048_576,
    max: 68_719_476_736,
    variable: 'CAPSTAN_LIMIT_CACHE',
    about: 'Memory for values that calls share.',
  },
  'limits.scratch': {
    type: 'bytes',
    default: 2_147_483_648,
    min: 1_048_576,
    max: 1_099_511_627_776,
    variable: 'CAPSTAN_LIMIT_SCRATCH',
    about: 'Temporary files of one call.',
  },
  'limits.answer': {
    type: 'bytes',
    default: 33_554_432,
    min: 1024,
    max: 1_073_741_824,
    variable: 'CAPSTAN_LIMIT_ANSWER',
    about: 'Largest answer.',
  },
  'limits.aborts_per_minute': {
    ...count,
    default: 20,
    variable: 'CAPSTAN_LIMIT_ABORTS_PER_MINUTE',
    about: 'Aborted calls of one account a minute, over all replicas, before 429.',
  },
  'limits.browser_slots': { ...slots, variable: 'CAPSTAN_LIMIT_BROWSER_SLOTS', about: 'Browser pages at once.' },
  'limits.code_slots': { ...slots, variable: 'CAPSTAN_LIMIT_CODE_SLOTS', about: 'Programs of callers at once.' },
  'limits.media_slots': { ...slots, variable: 'CAPSTAN_LIMIT_MEDIA_SLOTS', about: 'Conversions and transcriptions at once.' },
  'limits.grace': {
    type: 'duration',
    default: 30,
    min: 0,
    max: 3600,
    variable: 'CAPSTAN_LIMIT_GRACE',
    about: 'Time to finish calls after SIGTERM.',
  },
  'sandbox.without_groups': {
    type: 'enum',
    values: ['one-account', 'allow'],
    default: 'one-account',
    variable: 'CAPSTAN_SANDBOX_WITHOUT_GROUPS',
    about: 'Without control groups: programs of callers only while one account is enabled, or always.',
  },
  'history.days': {
    ...days,
    default: 90,
    variable: 'CAPSTAN_HISTORY_DAYS',
    about: 'Days after which the details of calls are deleted; 0 keeps them.',
  },
  'log.level': {
    type: 'enum',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    variable: 'CAPSTAN_LOG_LEVEL',
    about: 'Least severe log line that is written.',
  },
  'otel.endpoint': {
    type: 'string',
    default: null,
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    form: webAddress,
    base: true,
    about: 'Where traces go (OTLP over HTTP).',
  },
} as const satisfies Readonly<Record<string, Definition>>

/** The same list for code that walks it. */
export const definitionList: readonly (Definition & { readonly name: string })[] = Object.entries(definitions).map(
  ([name, definition]) => ({ name, ...definition }),
)

/** Every setting of the core, checked, defaults filled in. */
export type Settings = SettingsOf<typeof definitions>
