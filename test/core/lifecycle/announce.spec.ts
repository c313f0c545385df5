import { expect } from 'chai'
import { announcement, waitingAnnouncement, type Announcement } from '../../../core/lifecycle/announce.js'
import type { Settings } from '../../../core/config/types.js'
import type { LoadedCapability, Registry } from '../../../core/loader/types.js'

const places = { ledger: 'SQLite /data/capstan.db: synced', limits: 'in the memory of this process', files: 'local folder /data/files' }
const first = { account: 'default', key: 'cap_shown-once' }

function about(more: Partial<Announcement['first']> = {}, json = false, allowed: readonly string[] = []): Announcement {
  const registry = {
    capabilities: new Map<string, LoadedCapability>(['search', 'scrape'].map((id) => [id, {} as LoadedCapability])),
    liveness: (id: string) => ({ live: id === 'scrape', reason: null }),
  } as unknown as Registry
  const services = { publicUrl: () => 'http://127.0.0.1:8420', registry: () => registry }
  return {
    app: { services, places },
    first: { firstRun: null, adminToken: null, ...more },
    config: {
      settings: { outbound: { allow_private: allowed } } as unknown as Settings,
      warnings: [{ where: 'CAPSTAN_PORTT', message: 'is no setting; did you mean CAPSTAN_PORT?', level: 'warning' }],
    },
    json,
    localUrl: 'http://127.0.0.1:8420',
    adminUrl: 'http://127.0.0.1:8421',
    clone: '/srv/capstan',
    version: '1.2.3',
  }
}

describe('what a gateway says when it listens', () => {
  it('where it listens, where ledger, limits and files are kept, how many capabilities answer, and what to check', () => {
    expect(announcement(about({}, false, ['10.0.0.0/8'])).split('\n')).to.deep.equal([
      'Capstan 1.2.3 listens at http://127.0.0.1:8420',
      '  console      http://127.0.0.1:8420/console',
      '  admin        http://127.0.0.1:8421 (metrics, probes)',
      '  ledger       SQLite /data/capstan.db: synced',
      '  limits       in the memory of this process',
      '  files        local folder /data/files',
      '  capabilities 1 of 2 live; capstan doctor says what the others need',
      '  warning      outbound.allow_private opens: 10.0.0.0/8',
      '  warning      CAPSTAN_PORTT: is no setting; did you mean CAPSTAN_PORT?',
      '',
    ])
  })

  it('at the first start the key, the admin token, and two commands that carry the key', () => {
    const printed = announcement(about({ firstRun: first, adminToken: 'adm_shown-once' }))
    expect(printed).to.contain('Keep these; they are not shown again:\n  API key      cap_shown-once\n  admin token  adm_shown-once\n')
    const commands = printed.split('\n').filter((line) => line.startsWith('curl '))
    expect(commands.map((line) => /\/v1\/\S+/.exec(line)?.[0])).to.deep.equal(['/v1/code/execute', '/v1/scrape'])
    for (const line of commands) expect(line).to.contain("-H 'Authorization: Bearer cap_shown-once'")
  })

  it('behind a public address also where it listens itself', () => {
    const behind = { ...about(), localUrl: 'http://127.0.0.1:9000' }
    expect(announcement(behind).split('\n').slice(0, 2)).to.deep.equal([
      'Capstan 1.2.3 listens at http://127.0.0.1:8420',
      '  local        http://127.0.0.1:9000',
    ])
  })

  it('at the first start how to get the command, in a clone', () => {
    const printed = (clone: string | null): string => announcement({ ...about({ firstRun: first }), clone })
    expect(printed('/srv/capstan')).to.contain(
      '\nThe command is ./capstan in /srv/capstan; npm install --global /srv/capstan makes it capstan in every folder.\n',
    )
    expect(printed(null)).not.to.contain('./capstan')
    expect(announcement(about())).not.to.contain('./capstan')
  })

  it('a token that it made though another replica made the key', () => {
    const printed = announcement(about({ adminToken: 'adm_shown-once' }))
    expect(printed).to.contain('admin token  adm_shown-once').and.not.to.contain('API key')
  })

  it('with --json one line of a fixed form', () => {
    const ready = { event: 'ready', url: 'http://127.0.0.1:8420', console: 'http://127.0.0.1:8420/console' }
    const rest = { admin_url: 'http://127.0.0.1:8421', pid: process.pid }
    const printed = (more: Partial<Announcement['first']>): unknown => JSON.parse(announcement(about(more, true)))
    expect(announcement(about({}, true)).trimEnd()).not.to.contain('\n')
    expect(printed({})).to.deep.equal({ ...ready, ...rest, first_run: null })
    expect(printed({ firstRun: first, adminToken: 'adm_x' })).to.deep.equal({
      ...ready,
      ...rest,
      first_run: { ...first, admin_token: 'adm_x' },
    })
    expect(printed({ adminToken: 'adm_x' })).to.deep.equal({ ...ready, ...rest, first_run: null, admin_token: 'adm_x' })
  })

  it('while it waits for its database: that, and why', () => {
    const waiting = { url: 'http://127.0.0.1:8420', adminUrl: 'http://127.0.0.1:8421', reason: 'mongodb://db is out of reach' }
    expect(waitingAnnouncement({ ...waiting, json: false })).to.equal(
      'Capstan listens at http://127.0.0.1:8420 and waits for its database (CAPSTAN_STORE): mongodb://db is out of reach\n',
    )
    expect(JSON.parse(waitingAnnouncement({ ...waiting, json: true }))).to.deep.equal({
      event: 'waiting',
      url: waiting.url,
      admin_url: waiting.adminUrl,
      pid: process.pid,
      reason: waiting.reason,
    })
  })
})
