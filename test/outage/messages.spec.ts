import { expect } from 'chai'
import { stripVTControlCharacters } from 'node:util'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../core/runtime/clock.js'
import { cliBench, type CliBench, type CliResult } from '../support/cli.js'
import { needsProgram } from '../support/needs.js'
import { freePort, startRedis, type TestRedis } from '../support/redis.js'
import { ACCOUNT, BUCKET, S3Server } from '../support/s3.js'
import { Served, soon } from '../support/served.js'
import { scriptedRegistry } from '../support/test-plugin.js'
import { refusingMongo } from './mongodb-refusing.js'

const SECRET = 'canary-word'
/** Where the tests find what was started for them. */
interface Places {
  readonly mongo: number
  readonly redis: number
  readonly closed: number
  readonly s3: S3Server
  readonly folder: string
}
type Env = Record<string, string>

const s3 = (places: Places, change: Env = {}): Env => ({
  CAPSTAN_ARTIFACTS: places.s3.setting(),
  CAPSTAN_S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
  CAPSTAN_S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
  ...change,
})
/** Characters in passwords that somebody forgot to percent-encode. */
const UNENCODED = ['/', '@', '?', '#', ':', '%', '[', ' ', '\\', '@/', '/@', '?@', '#@', '%zz@']

type Case = readonly [string, (places: Places) => Env, RegExp]

/** Settings with which no gateway starts: what is wrong, the settings, and what the one line must name. */
const REFUSED: readonly Case[] = [
  ['a database of another kind', () => ({ CAPSTAN_STORE: `mysql://ada:${SECRET}@127.0.0.1/capstan` }), /CAPSTAN_STORE/],
  [
    'a MongoDB option that there is none of',
    ({ closed }) => ({ CAPSTAN_STORE: `mongodb://ada:${SECRET}@127.0.0.1:${closed}/x?nosuch=1` }),
    /CAPSTAN_STORE.*nosuch/,
  ],
  [
    'a wrong MongoDB password',
    ({ mongo }) => ({ CAPSTAN_STORE: `mongodb://ada:${SECRET}@127.0.0.1:${mongo}/capstan` }),
    /CAPSTAN_STORE.*user and password/,
  ],
  [
    'a ledger below a file',
    ({ folder }) => ({ CAPSTAN_STORE: `sqlite:${folder}/file/capstan.db` }),
    /CAPSTAN_STORE|^○ store .*cannot be written/m,
  ],
  ['a data folder below a file', ({ folder }) => ({ CAPSTAN_DATA: `${folder}/file/data` }), /CAPSTAN_DATA|^○ store .*cannot be written/m],
  ['a wrong Redis password', ({ redis }) => ({ CAPSTAN_REDIS: `redis://:${SECRET}@127.0.0.1:${redis}` }), /CAPSTAN_REDIS/],
  [
    'a Redis address with options',
    ({ redis }) => ({ CAPSTAN_REDIS: `redis://:${SECRET}@127.0.0.1:${redis}?family=6` }),
    /CAPSTAN_REDIS.*options/,
  ],
  [
    'a wrong bucket',
    (places) => s3(places, { CAPSTAN_ARTIFACTS: places.s3.setting().replace(BUCKET, 'another-bucket') }),
    /(?=.*CAPSTAN_ARTIFACTS).*another-bucket/,
  ],
  ['a wrong S3 secret', (places) => s3(places, { CAPSTAN_S3_SECRET_ACCESS_KEY: SECRET }), /CAPSTAN_S3_SECRET_ACCESS_KEY/],
  [
    'a wrong S3 region',
    (places) => s3(places, { CAPSTAN_ARTIFACTS: places.s3.setting().replace('eu-test-1', 'us-west-9') }),
    /(?=.*CAPSTAN_ARTIFACTS).*eu-test-1/,
  ],
]
/** The same, shown by the doctor alone: a start takes seconds. */
const REFUSED_TOO: readonly Case[] = [
  ['a MongoDB address without a host', () => ({ CAPSTAN_STORE: `mongodb://ada:${SECRET}@/capstan` }), /CAPSTAN_STORE/],
  ['a MongoDB address with one slash', () => ({ CAPSTAN_STORE: `mongodb:/ada:${SECRET}@127.0.0.1/capstan` }), /CAPSTAN_STORE/],
  ['a ledger that is a folder', ({ folder }) => ({ CAPSTAN_STORE: `sqlite:${folder}` }), /CAPSTAN_STORE/],
  ['a Redis user that there is none of', ({ redis }) => ({ CAPSTAN_REDIS: `redis://ada:${SECRET}@127.0.0.1:${redis}` }), /CAPSTAN_REDIS/],
  ['a Redis address with one slash', () => ({ CAPSTAN_REDIS: `redis:/:${SECRET}@127.0.0.1` }), /CAPSTAN_REDIS/],
  ['no S3 secret', (places) => s3(places, { CAPSTAN_S3_SECRET_ACCESS_KEY: '' }), /CAPSTAN_S3_SECRET_ACCESS_KEY is not set/],
  [
    'credentials in the S3 address',
    (places) => s3(places, { CAPSTAN_ARTIFACTS: `s3://ada:${SECRET}@${BUCKET}` }),
    /CAPSTAN_ARTIFACTS.*CAPSTAN_S3_SECRET_ACCESS_KEY/,
  ],
]
/** Addresses with a password in them. */
const ADDRESSES: readonly (readonly [string, (password: string, port: number) => Env])[] = [
  ['a MongoDB', (password, port) => ({ CAPSTAN_STORE: `mongodb://ada:${password}@127.0.0.1:${port},127.0.0.1:1/capstan?appName=x` })],
  ['a Redis', (password, port) => ({ CAPSTAN_REDIS: `redis://ada:${password}@127.0.0.1:${port}/1` })],
  ['a mistyped', (password, port) => ({ CAPSTAN_REDIS: `redis:ada:${password}@127.0.0.1:${port}/1` })],
]

describe('wrong settings of what a gateway depends on', function () {
  this.timeout(20_000)
  const made: (() => Promise<void>)[] = []
  let places: Places
  let bench: CliBench | null = null

  before(async function () {
    needsProgram(this, 'redis-server')
    const mongo = await refusingMongo()
    const redis: TestRedis = await startRedis(['--requirepass', 'another-word'], 'another-word')
    const server = await new S3Server(systemClock).start()
    const home = cliBench()
    writeFileSync(join(home.folder, 'file'), '')
    made.push(
      () => mongo.close(),
      () => redis.close(),
      () => server.close(),
      () => Promise.resolve(home.done()),
    )
    places = { mongo: mongo.port, redis: redis.port, closed: await freePort(), s3: server, folder: home.folder }
  })
  after(async () => {
    for (const close of made.splice(0)) await close()
  })
  afterEach(() => {
    bench?.done()
    bench = null
  })

  /** One command of the build, in this process. */
  const run = async (env: Env, ...argv: string[]): Promise<CliResult> => {
    const registry = () => Promise.resolve(scriptedRegistry({}))
    const sandbox = () => Promise.resolve({ live: true, detail: '', checks: [] })
    bench?.done()
    bench = cliBench({ env, parts: { registry, sandbox } })
    return await bench.run(...argv)
  }
  const silent = ({ out, err }: { out: string; err: string }): void => {
    for (const secret of [SECRET, ACCOUNT.secretAccessKey, 'another-word']) expect(out + err).not.to.contain(secret)
  }

  const refused = async ([, env, names]: Case): Promise<void> => {
    const doctor = await run(env(places), 'doctor')
    silent(doctor)
    expect(doctor.code, doctor.out).to.equal(1)
    const said = stripVTControlCharacters(doctor.out)
      .split('\n')
      .filter((line) => line.startsWith('○') && !/^○ (?:test\.echo|browser|model)/.test(line))
    expect([...lines(doctor.err), ...said].join('\n'), 'the line or the check of the setting').to.match(names)
    for (const more of [[], ['--all'], ['--json']]) silent(await run(env(places), 'config', 'check', ...more))
  }

  describe('with which no gateway starts', () => {
    const serves = new Map<string, Served>()
    before(async function () {
      this.timeout(60_000)
      const waiting = [...REFUSED]
      const one = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const [what, env] = next
          const served = new Served({ env: { CAPSTAN_PLUGINS: '', CAPSTAN_ALLOW_PRIVATE: '', ...env(places) } })
          serves.set(what, served)
          await soon(served.ended, 15_000).catch(() => undefined)
        }
      }
      await Promise.all([one(), one(), one()])
    })
    after(async () => {
      for (const served of serves.values()) await served.end()
    })

    for (const each of REFUSED)
      it(`T-67 ${each[0]}: serve ends with one line that names the setting, the doctor shows it, and nobody sees the secret`, async () => {
        const [what, , names] = each
        const served = serves.get(what)
        if (served === undefined) throw new Error('it was not run')
        silent(served)
        expect(served.runs, served.said).to.equal(false)
        expect(await served.ended).to.deep.equal({ code: 1, signal: null })
        expect(lines(served.err), served.err).to.have.length(1)
        expect(served.err).to.match(names)
        expect((JSON.parse(served.out) as { error: string }).error).to.match(names)
        await refused(each)
      })
  })

  it('T-67 places that are only out of reach: it serves without them, and says so in one line each', async () => {
    const { closed } = places
    const redis = { CAPSTAN_REDIS: `redis://ada:${SECRET}@127.0.0.1:${closed}` }
    const files = s3(places, {
      CAPSTAN_ARTIFACTS: `s3://${BUCKET}?endpoint=http://127.0.0.1:${closed}`,
      CAPSTAN_S3_SECRET_ACCESS_KEY: SECRET,
    })
    const served = new Served({ env: { CAPSTAN_PLUGINS: '', CAPSTAN_ALLOW_PRIVATE: '', CAPSTAN_LOG_LEVEL: 'warn', ...redis, ...files } })
    try {
      await served.line('ready')
      expect(lines(served.err), served.err).to.have.length(2)
      expect(served.err).to.match(/Redis \(CAPSTAN_REDIS\) does not answer/)
      expect(served.err).to.match(/cannot be reached \(nothing listens there\).*CAPSTAN_ARTIFACTS/)
      silent(served)
      expect((await served.send('/readyz')).status).to.equal(200)
    } finally {
      await served.end()
    }
    silent(await run({ ...redis, ...files }, 'doctor'))
  })

  it('T-67 a database that is only out of reach: what waits for it never shows the password', async () => {
    const served = new Served({ env: { CAPSTAN_STORE: `mongodb://ada:${SECRET}@127.0.0.1:${places.closed}/capstan?appName=${SECRET}` } })
    try {
      expect((await served.line('waiting')).reason).to.contain(`mongodb://ada:***@127.0.0.1:${places.closed}/capstan is unreachable`)
      await served.until(() => served.err.includes('store-away'))
      silent(served)
    } finally {
      await served.end()
    }
  })

  for (const each of REFUSED_TOO)
    it(`T-67 ${each[0]}: the doctor says which setting, and nobody sees the secret`, async () => await refused(each))

  for (const [what, env] of ADDRESSES)
    it(`T-67 ${what} address with a password that nobody encoded: no command shows the password`, async () => {
      for (const mark of UNENCODED) {
        const settings = env(`${SECRET}${mark}${SECRET}`, places.closed)
        for (const argv of [
          ['doctor', '--all'],
          ['config', 'check', '--all'],
          ['config', 'check', '--json'],
        ])
          silent(await run(settings, ...argv))
      }
    })
})

function lines(text: string): string[] {
  return text.trimEnd().split('\n')
}
