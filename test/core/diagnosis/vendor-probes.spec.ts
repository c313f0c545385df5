import { expect } from 'chai'
import { capabilityList } from '../../../core/http/discovery/described.js'
import type { Sandbox } from '../../../core/exec/types.js'
import { VendorProbes } from '../../../core/diagnosis/vendor-probes.js'
import { RegistryHolder } from '../../../core/loader/holder.js'
import { index, contract } from '../../support/loader-texts.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { load, PluginFolder } from '../../support/loader.js'
import { HandClock } from '../../support/outbound.js'
import { until } from '../../support/time.js'
import { settle } from '../../support/unit.js'

const TRUE = '/bin/true'

describe('vendors whose program is installed and cannot work', () => {
  let folder: PluginFolder
  beforeEach(async () => (folder = await PluginFolder.make()))
  afterEach(async () => await folder.remove())

  it('are broken for callers, doctor and calls alike, said once in the log, until a later probe succeeds', async () => {
    const vendor = `vendor({ id: 'engine', title: 'Engine', programs: { engine: 'engine-tools' }, probe: { program: 'engine', args: ['info'] } })`
    await folder.write('guest', {
      'index.mjs': index('guest', '', 'capstan/sdk'),
      'contract.mjs': contract('', 'capstan/sdk'),
      'providers/engine.mjs': `import { provider, vendor } from 'capstan/sdk'
import { thing } from '../contract.mjs'
export const make = provider(thing, { vendor: ${vendor}, run: async ({ text }) => ({ text }) })
`,
    })
    const holder = new RegistryHolder(await load({ thirdParty: [folder.path], programs: () => TRUE }))
    let works = false
    const probed: string[] = []
    const lines: unknown[] = []
    const empty = new Uint8Array()
    const stderr = new TextEncoder().encode('first line\nCannot connect to the daemon\n')
    const probes = new VendorProbes({
      holder,
      sandbox: {
        refusal: () => Promise.resolve(null),
        run: (program: string, args: readonly string[]) => {
          probed.push([program, ...args].join(' '))
          return Promise.resolve({
            code: works ? 0 : 1,
            stopped: null,
            stdout: empty,
            stderr: works ? empty : stderr,
            files: [],
            cut: false,
          })
        },
      } as unknown as ConstructorParameters<typeof VendorProbes>[0]['sandbox'],
      clock: systemClock,
      log: (...line) => void lines.push(line),
    })
    const seen = () => {
      const [provider] = holder.current.ports.get('thing')?.providers ?? []
      const listed = JSON.stringify(capabilityList(holder.current))
      return [
        provider?.state,
        provider?.reason,
        holder.current.liveness('thing').live,
        /"id":"engine"[^}]*"state":"(\w+)"/.exec(listed)?.[1],
      ]
    }
    const version = holder.current.version
    expect(seen()).to.deep.equal(['live', null, true, 'live'])
    await probes.run()
    await Promise.all([probes.run(), probes.run()])
    expect(seen()).to.deep.equal(['broken', 'Cannot connect to the daemon', false, 'broken'])
    expect(holder.current.version).not.to.equal(version)
    expect(lines).to.deep.equal([
      ['vendor-not-working', 'a vendor is installed and cannot work', { vendor: 'engine', reason: 'Cannot connect to the daemon' }],
    ])
    works = true
    await probes.run()
    expect(seen()).to.deep.equal(['live', null, true, 'live'])
    expect(probed).to.deep.equal(['engine info', 'engine info', 'engine info'])
  })

  it('are probed again each minute until none fails, and no more after the stop', async () => {
    const vendor = `vendor({ id: 'engine', title: 'Engine', programs: { engine: 'engine-tools' }, probe: { program: 'engine', args: ['info'] } })`
    await folder.write('guest', {
      'index.mjs': index('guest', '', 'capstan/sdk'),
      'contract.mjs': contract('', 'capstan/sdk'),
      'providers/engine.mjs': `import { provider, vendor } from 'capstan/sdk'
import { thing } from '../contract.mjs'
export const make = provider(thing, { vendor: ${vendor}, run: async ({ text }) => ({ text }) })
`,
    })
    const holder = new RegistryHolder(await load({ thirdParty: [folder.path], programs: () => TRUE }))
    const clock = new HandClock()
    let [code, runs] = [1, 0]
    const empty = new Uint8Array()
    const run = () => Promise.resolve({ code, stopped: null, stdout: empty, stderr: empty, files: [], cut: false }).finally(() => runs++)
    const sandbox = {
      run,
      status: () => Promise.reject(new Error('not called')),
      refusal: () => Promise.resolve(null),
    } as unknown as Sandbox
    const probes = new VendorProbes({ holder, sandbox, clock, log: () => undefined })
    await probes.run()
    expect(holder.current.liveness('thing').live).to.equal(false)
    clock.advance(60_000)
    await until(() => runs === 2)
    await settle(5)
    code = 0
    clock.advance(60_000)
    await until(() => holder.current.liveness('thing').live)
    clock.advance(600_000)
    await settle(5)
    expect(runs).to.equal(3)
    code = 1
    probes.close()
    await probes.run()
    clock.advance(60_000)
    await settle(5)
    expect(runs).to.equal(4)
  })

  it('B10 are all those that need the sandbox while it is not live, with its reason, until it is found live again', async () => {
    const vendor = `vendor({ id: 'engine', title: 'Engine', programs: { bwrap: 'bubblewrap' } })`
    await folder.write('guest', {
      'index.mjs': index('guest', '', 'capstan/sdk'),
      'contract.mjs': contract('', 'capstan/sdk'),
      'providers/engine.mjs': `import { provider, vendor } from 'capstan/sdk'
import { thing } from '../contract.mjs'
export const make = provider(thing, { vendor: ${vendor}, run: async ({ text }) => ({ text }) })
`,
    })
    const holder = new RegistryHolder(await load({ thirdParty: [folder.path], programs: () => TRUE }))
    const clock = new HandClock()
    let live = false
    const detail = 'the users of jobs cannot enter /root/tmp: chmod o+x /root/tmp, or set TMPDIR to another folder'
    let checks = 0
    const status = () => Promise.resolve({ live, detail, checks: [] }).finally(() => checks++)
    const sandbox = { status, run: () => Promise.reject(new Error('nothing is run')), refusal: () => Promise.resolve(null) }
    const probes = new VendorProbes({ holder, sandbox, clock, log: () => undefined })
    await probes.run()
    expect(holder.current.liveness('thing')).to.deep.include({ live: false, reason: `thing: every provider is broken (${detail})` })
    clock.advance(60_000)
    await until(() => checks === 2)
    await settle(5)
    live = true
    clock.advance(60_000)
    await until(() => holder.current.liveness('thing').live)
    probes.close()
  })

  it('are those whose programs several accounts may not share here, but for what is bounded otherwise, until one account is left', async () => {
    const vendorOf = (id: string, more: string): string => `vendor({ id: '${id}', title: '${id}', ${more} })`
    const vendors = {
      engine: vendorOf('engine', "programs: { bwrap: 'bubblewrap', engine: 'engine-tools' }"),
      parser: vendorOf('parser', "programs: { bwrap: 'bubblewrap' }"),
      browser: vendorOf('browser', "programs: { bwrap: 'bubblewrap', engine: 'engine-tools' }, boundedWithoutGroups: true"),
      outside: vendorOf('outside', "programs: { engine: 'engine-tools' }, memoryUnbounded: () => 'nothing holds it'"),
    }
    await folder.write('guest', {
      'index.mjs': index('guest', '', 'capstan/sdk'),
      'contract.mjs': contract('', 'capstan/sdk'),
      'providers/all.mjs': `import { provider, vendor } from 'capstan/sdk'
import { thing } from '../contract.mjs'
${Object.entries(vendors)
  .map(([id, text]) => `export const ${id} = provider(thing, { vendor: ${text}, run: async ({ text }) => ({ text }) })`)
  .join('\n')}
`,
    })
    const holder = new RegistryHolder(await load({ thirdParty: [folder.path], programs: () => TRUE }))
    const clock = new HandClock()
    let refused: string | null = 'more than one account is enabled: set sandbox.without_groups'
    const sandbox = {
      status: () => Promise.resolve({ live: true, detail: 'bubblewrap', checks: [], memoryUnbounded: true }),
      run: () => Promise.reject(new Error('nothing is run')),
      refusal: () => Promise.resolve(refused),
    }
    const probes = new VendorProbes({ holder, sandbox, clock, log: () => undefined })
    const broken = () =>
      (holder.current.ports.get('thing')?.providers ?? []).filter(({ state }) => state === 'broken').map(({ vendor }) => vendor.id)
    await probes.run()
    expect(broken().sort()).to.deep.equal(['engine', 'outside'])
    refused = null
    clock.advance(60_000)
    await until(() => broken().length === 0)
    probes.close()
  })
})
