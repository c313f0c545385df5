import { expect } from 'chai'
import { configFolder, type ConfigFolder } from '../../support/config.js'

/** A setting's variable, a plausible but wrong value, and the message about it. */
const WRONG: readonly (readonly [string, string, RegExp])[] = [
  [
    'CAPSTAN_TRUSTED_PROXIES',
    '10.0.0.0/33',
    /must be a list, each entry an IP address or a CIDR range such as 10\.0\.0\.0\/8, not "10\.0\.0\.0\/33"$/,
  ],
  ['CAPSTAN_TRUSTED_PROXIES', '10.0.0.1,300.1.1.1', /not "300\.1\.1\.1"$/],
  ['CAPSTAN_TRUSTED_PROXIES', 'fd00::/129', /not "fd00::\/129"$/],
  [
    'CAPSTAN_ALLOW_PRIVATE',
    '127.0.0.1/99',
    /must be a list, each entry host, host:port or a CIDR range such as 10\.0\.0\.0\/8, not "127\.0\.0\.1\/99"$/,
  ],
  ['CAPSTAN_ALLOW_PRIVATE', '*.example.com', /not "\*\.example\.com"$/],
  ['CAPSTAN_ALLOW_PRIVATE', 'localhost:70000', /not "localhost:70000"$/],
  ['CAPSTAN_HOST', '127.0.0.300', /^server\.host must be an IP address or a host name, without a port, not "127\.0\.0\.300"$/],
  ['CAPSTAN_HOST', '127.0.0.1:8420', /^server\.host must be .* without a port/],
  ['CAPSTAN_HOST', '8420', /^server\.host must be /],
  ['CAPSTAN_HOST', 'http://gate.example.com', /^server\.host must be /],
  ['CAPSTAN_HOST', 'gate..example.com', /^server\.host must be /],
  ['CAPSTAN_ADMIN_HOST', 'bad host', /^server\.admin_host must be /],
  ['CAPSTAN_PORT', '70000', /^server\.port must be a whole number from 0 to 65535, not "70000"$/],
  ['CAPSTAN_ADMIN_PORT', '8420', /^server\.admin_port must be another port than server\.port, not 8420 as well$/],
  ['CAPSTAN_PUBLIC_URL', 'https://gate.example.com:99999', /^server\.public_url must be an address that begins with http/],
  [
    'CAPSTAN_CORS_ORIGINS',
    'https://App.example.com',
    /never matches "https:\/\/App\.example\.com": browsers send it as https:\/\/app\.example\.com$/,
  ],
  ['CAPSTAN_CORS_ORIGINS', 'https://app.example.com:443', /browsers send it as https:\/\/app\.example\.com$/],
  ['CAPSTAN_CORS_ORIGINS', 'https://app.example.com:x', /must be a list, each entry an origin as browsers send it/],
  ['CAPSTAN_STORE', 'mongodb://db.example.com:99999/capstan', /^store names "db\.example\.com:99999", which is not host\[:port\]$/],
  ['CAPSTAN_STORE', 'mongodb://one.example.com,,two.example.com/capstan', /^store names "", which is not/],
  ['CAPSTAN_STORE', 'mongodb+srv://db.example.com:27017/capstan', /^store needs one host name without a port/],
  ['CAPSTAN_REDIS', 'redis://cache.example.com:99999', /^redis must be redis:\/\//],
  ['CAPSTAN_REDIS', 'redis://cache.example.com/first', /^redis must end in the number of a database/],
  ['CAPSTAN_ARTIFACTS', 's3://B/', /^artifacts names no valid bucket: 3 to 63 of a-z/],
  ['CAPSTAN_ARTIFACTS', 's3://bucket?regoin=eu', /^artifacts has an option that is unknown/],
  ['CAPSTAN_ARTIFACTS', 's3://bucket?endpoint=127.0.0.1:9000', /^artifacts has an endpoint that is not an address/],
  ['CAPSTAN_PROXY', 'http://proxy.example.com:99999', /^outbound\.proxy must be an address/],
  ['CAPSTAN_DNS', 'dns.example.com:53', /^net\.dns must be ip:port, not "dns\.example\.com:53"$/],
  ['CAPSTAN_DNS', '127.0.0.1:99999', /^net\.dns must be ip:port/],
  ['CAPSTAN_WHOIS', 'whois.example.com:0', /^net\.whois must be host:port/],
  ['CAPSTAN_SMTP_PORT', '0', /^net\.smtp_port must be a whole number from 1 to 65535/],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://otel.example.com:port', /^otel\.endpoint must be an address/],
  ['CAPSTAN_VENDOR_SEARXNG_URL', 'http://127.0.0.1:99999', /must be an address that begins with http/],
  ['CAPSTAN_WATERFALL_SEARCH_SERP', 'serper,...,brave,...', /names \.\.\. twice$/],
  ['CAPSTAN_WATERFALL_SEARCH_SERP', 'serper,-serper', /names serper twice$/],
  ['CAPSTAN_WATERFALL_SEARCH_SERP', '-...', /\.\.\. means all others, a leading - excludes one, not "-\.\.\."$/],
]

const RIGHT: readonly (readonly [string, string])[] = [
  ['CAPSTAN_HOST', '::'],
  ['CAPSTAN_HOST', 'gate-1.example.com'],
  ['CAPSTAN_HOST', 'localhost'],
  ['CAPSTAN_TRUSTED_PROXIES', '10.0.0.0/8,fd00::/8,::1,192.0.2.1'],
  ['CAPSTAN_ALLOW_PRIVATE', '127.0.0.1,localhost:9000,[::1]:9000,10.0.0.0/8,fd00::/8'],
  ['CAPSTAN_CORS_ORIGINS', 'https://app.example.com,http://localhost:3000,chrome-extension://abcdef,*'],
  ['CAPSTAN_STORE', 'mongodb://user:pass%40word@one.example.com:27017,two.example.com/capstan?replicaSet=rs0'],
  ['CAPSTAN_STORE', 'mongodb+srv://user:password@cluster.example.com/capstan'],
  ['CAPSTAN_STORE', 'mongodb://%2Ftmp%2Fmongodb-27017.sock/capstan'],
  ['CAPSTAN_REDIS', 'rediss://user:password@cache.example.com:6380/2'],
  ['CAPSTAN_ARTIFACTS', 's3://my-bucket/prefix?region=eu-central-1&endpoint=http://127.0.0.1:9000'],
  ['CAPSTAN_DNS', '[::1]:53'],
  ['CAPSTAN_WHOIS', 'whois.example.com'],
  ['CAPSTAN_WATERFALL_SEARCH_SERP', 'serper,...,-wikipedia'],
]

describe('texts that only their reader can judge are judged when the configuration is read', () => {
  let folder: ConfigFolder
  beforeEach(() => (folder = configFolder()))
  afterEach(() => folder.done())

  for (const [variable, text, message] of WRONG)
    it(`${variable}=${text} is refused with its variable`, () => {
      const [problem, ...more] = folder.refuse(null, { [variable]: text })
      expect(more).to.deep.equal([])
      expect(problem).to.include({ where: variable, level: 'error' })
      expect(problem?.message).to.match(message)
    })

  for (const [variable, text] of RIGHT)
    it(`${variable}=${text} is taken`, () => {
      expect(folder.load(null, { [variable]: text }).warnings).to.deep.equal([])
    })

  it('in a file with line and column, each item of a list at its own position', () => {
    const yaml = 'server:\n  port: 9000\n  admin_port: 9000\n  trusted_proxies:\n    - 10.0.0.0/8\n    - 10.0.0.0/33\n'
    expect(folder.refuse(yaml).map(({ where }) => where)).to.deep.equal(['capstan.yml:6:7', 'capstan.yml:3:15'])
  })

  it('equal ports on hosts of their own are no mistake', () => {
    const yaml = 'server: {host: 127.0.0.1, port: 9000, admin_host: 127.0.0.2, admin_port: 9000}\n'
    expect(folder.load(yaml).settings.server.admin_port).to.equal(9000)
    expect(folder.refuse(yaml.replace('127.0.0.2', '0.0.0.0'))).to.have.length(1)
  })

  it('a password in a wrong address is not repeated', () => {
    const [problem] = folder.refuse(null, { CAPSTAN_STORE: 'mongodb://user:hush@db.example.com:99999/x' })
    expect(problem?.message).not.to.contain('hush')
  })

  it('says of every setting where it was given', () => {
    const config = folder.load('server:\n  port: 9000\nprices:\n  search: {serp: 2}\nwaterfall:\n  search.serp: [brave]\n', {
      CAPSTAN_HOST: '::1',
      CAPSTAN_WATERFALL_SEARCH_ANSWER: 'exa',
    })
    const names = [
      'server.port',
      'server.host',
      'data',
      'prices.search',
      'waterfall.search.serp',
      'waterfall.search.answer',
      'prices.scrape',
    ]
    expect(names.map((name) => config.place(name))).to.deep.equal([
      'capstan.yml:2:9',
      'CAPSTAN_HOST',
      'data',
      'capstan.yml:4:3',
      'capstan.yml:6:3',
      'CAPSTAN_WATERFALL_SEARCH_ANSWER',
      'prices.scrape',
    ])
  })
})
