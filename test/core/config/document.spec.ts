import { expect } from 'chai'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../../core/config/load.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { configFolder, type ConfigFolder } from '../../support/config.js'

describe('the configuration file', () => {
  let folder: ConfigFolder
  beforeEach(() => (folder = configFolder()))
  afterEach(() => folder.done())

  const wrong: [string, string, string, RegExp][] = [
    [
      'an unknown setting, with the nearest name',
      'server:\n  prot: 1\n',
      'capstan.yml:2:3',
      /unknown setting server\.prot; did you mean server\.port\?/,
    ],
    ['an unknown group', 'servers:\n  port: 1\n', 'capstan.yml:1:1', /unknown setting servers; did you mean server\?/],
    ['a group that is a text', 'server: 8420\n', 'capstan.yml:1:1', /server must be a group of settings/],
    [
      'a number outside its range',
      'server:\n  port: 99999\n',
      'capstan.yml:2:9',
      /server\.port must be a whole number from 0 to 65535, not 99999/,
    ],
    ['a number in quotes', 'server:\n  port: "8420"\n', 'capstan.yml:2:9', /not the quoted text "8420"/],
    ['a list where a text belongs', 'data: [a]\n', 'capstan.yml:1:7', /data must be .*not a list/],
    [
      'one wrong item of a list',
      'server:\n  trusted_proxies: [10.0.0.1, elsewhere]\n',
      'capstan.yml:2:31',
      /an IP address or a CIDR range such as 10\.0\.0\.0\/8, not elsewhere/,
    ],
    ['a variable that is not set', 'store: ${NOT_SET}\n', 'capstan.yml:1:8', /NOT_SET is not set; set it, or write \$\{NOT_SET:-\}/],
    [
      'a required variable, in the words of the file',
      'store: "${NOT_SET:?give the database}"\n',
      'capstan.yml:1:8',
      /NOT_SET is not set: give the database/,
    ],
    ['something that is no reference', 'store: "${a b}"\n', 'capstan.yml:1:8', /begins no reference/],
    ['a key twice', 'data: a\ndata: b\n', 'capstan.yml:2:1', /unique/i],
    ['a file that is a list', '- a\n', 'capstan.yml:1:1', /must be a group of settings/],
    ['a wrong price', 'prices:\n  search: 1.2345\n', 'capstan.yml:2:11', /prices\.search must be credits/],
    ['an order that is a number of things', 'waterfall:\n  search.serp: [a, {b: c}]\n', 'capstan.yml:2:16', /vendor ids in order/],
    ['an order that names a vendor twice', 'waterfall:\n  search.serp: [a, -a]\n', 'capstan.yml:2:16', /names a twice/],
    [
      'a wrong address of a vendor',
      'vendors:\n  acme:\n    url: acme.example\n',
      'capstan.yml:3:10',
      /vendors\.acme\.url must be an address/,
    ],
    ['settings of a vendor that are a text', 'vendors:\n  acme: secret\n', 'capstan.yml:2:3', /vendors\.acme must be a group/],
  ]
  for (const [title, yaml, where, message] of wrong) {
    it(`refuses ${title}, with file, line and column`, () => {
      const [problem, ...more] = folder.refuse(yaml)
      expect(more).to.deep.equal([])
      expect(problem?.where).to.equal(where)
      expect(problem?.message).to.match(message)
    })
  }

  it('reports everything that is wrong at once, in the file and in variables', () => {
    const problems = folder.refuse('server:\n  port: x\n  hots: y\nlog:\n  level: loud\n', {
      CAPSTAN_LIMIT_GRACE: 'soon',
      CAPSTAN_VENDOR_ACME_URL: 'x',
    })
    expect(problems.map(({ where }) => where)).to.have.members([
      'capstan.yml:3:3',
      'capstan.yml:2:9',
      'capstan.yml:5:10',
      'CAPSTAN_LIMIT_GRACE',
      'CAPSTAN_VENDOR_ACME_URL',
    ])
  })

  it('says what is wrong with the form of the file', () => {
    const [problem] = folder.refuse('server: {port: 1\n')
    expect(problem?.where).to.match(/^capstan\.yml:\d+:\d+$/)
  })

  it('a file that is not there is refused by name', () => {
    expect(() => loadConfig({ file: 'absent.yml', env: {}, root: packageRoot(), cwd: folder.folder })).to.throw(
      /^absent\.yml: cannot be read/,
    )
  })

  it('never repeats a secret: neither the admin token nor what came from the environment nor a password in an address', () => {
    const text = JSON.stringify(
      folder.refuse('server:\n  admin_token: [hush1]\n  port: ${KEY}\nredis: "http://user:hush3@x"\n', {
        KEY: 'hush2',
        CAPSTAN_STORE: 'pg://u:hush4@h/x',
      }),
    )
    expect(text).not.to.match(/hush/)
  })

  it('replaces references after parsing, once, and whole', () => {
    const config = folder.load(
      'server:\n  admin_token: ${TOKEN}\n  port: ${PORT:-9000}\notel.endpoint: "http://${HOST:-cache}:6379/$${x}"\nlog:\n  level: ${LEVEL:-}\n',
      { TOKEN: 'a: #b ${HOME} "c"' },
    )
    expect(config.settings.server).to.include({ admin_token: 'a: #b ${HOME} "c"', port: 9000 })
    expect(config.settings.otel.endpoint).to.equal('http://cache:6379/${x}')
    expect(config.settings.log.level).to.equal('info')
  })

  it('reads anchors, dotted names and an empty file', () => {
    const config = folder.load('net:\n  dns: &a 127.0.0.1:53\n  whois: *a\nserver.port: 9001\n')
    expect(config.settings.net).to.include({ dns: '127.0.0.1:53', whois: '127.0.0.1:53' })
    expect(config.settings.server.port).to.equal(9001)
    expect(folder.load('').settings).to.deep.equal(folder.load(null).settings)
    expect(folder.load('server:\n').settings).to.deep.equal(folder.load(null).settings)
  })

  it('an alias bomb is refused', () => {
    const bomb = `a: &a [x, x]\n${'bcdefgh'
      .split('')
      .map((name, i) => `${name}: &${name} [*${'abcdefg'[i]}, *${'abcdefg'[i]}, *${'abcdefg'[i]}, *${'abcdefg'[i]}]`)
      .join('\n')}\n`
    expect(
      folder
        .refuse(bomb)
        .map(({ message }) => message)
        .join(),
    ).to.contain('more than 100 aliases')
  })

  it('relative paths begin at the file, those of variables at the working folder, defaults at the package', () => {
    mkdirSync(join(folder.folder, 'etc'))
    writeFileSync(join(folder.folder, 'etc', 'c.yml'), 'data: d\nplugins: [./p, /q]\n')
    const from = (env: Record<string, string>) => loadConfig({ file: 'etc/c.yml', env, root: packageRoot(), cwd: folder.folder }).settings
    expect(from({})).to.deep.include({
      data: join(folder.folder, 'etc', 'd'),
      plugin_folders: [join(folder.folder, 'etc', 'p'), '/q'],
      store: `sqlite:${join(folder.folder, 'etc', 'd', 'capstan.db')}`,
    })
    expect(from({ CAPSTAN_DATA: 'v', CAPSTAN_STORE: 'sqlite:s.db', CAPSTAN_PLUGINS: './p:/q' })).to.deep.include({
      data: join(folder.folder, 'v'),
      store: `sqlite:${join(folder.folder, 's.db')}`,
      artifacts: `file:${join(folder.folder, 'v', 'artifacts')}`,
      plugin_folders: [join(folder.folder, 'p'), '/q'],
    })
    expect(folder.load(null).settings.data).to.equal(join(packageRoot(), 'data'))
  })

  it('plugins may be a list, or a group with folders beside the settings of plugins', () => {
    expect(folder.load('plugins: [/a, /b]\n').settings.plugin_folders).to.deep.equal(['/a', '/b'])
    expect(folder.load(null, { CAPSTAN_PLUGINS: '/a, /b:/c' }).settings.plugin_folders).to.deep.equal(['/a', '/b', '/c'])
    expect(folder.load('plugins:\n  folders: /a:/b\n  search:\n    model: x\n').settings.plugin_folders).to.deep.equal(['/a', '/b'])
  })

  it('the configuration cannot be changed', () => {
    const { settings } = folder.load(null)
    expect(() => Object.assign(settings.server, { port: 1 })).to.throw(TypeError)
    expect(() => Object.assign(settings, { data: '' })).to.throw(TypeError)
  })
})
