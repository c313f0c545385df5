import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { complaints, seconds, textOf, unknownVariables } from './files.js'

describe('deploy/capstan.service', () => {
  const text = textOf('deploy/capstan.service')
  const settings = new Map(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

  it('runs as a user of its own, writes to its own folder alone, and comes back after a failure', () => {
    expect(settings.get('User')).to.be.a('string').and.not.equal('root')
    expect([settings.get('StateDirectory'), settings.get('ProtectSystem')]).to.deep.equal(['capstan', 'strict'])
    expect([settings.get('Restart'), settings.get('UMask')]).to.deep.equal(['on-failure', '0077'])
    expect(settings.has('ReadWritePaths')).to.equal(false)
  })

  it('T-08 holds no secret: they come from a file that only root reads', () => {
    expect(settings.get('EnvironmentFile')).to.equal('-/etc/capstan.env')
    expect(settings.get('Environment')).not.to.match(/TOKEN|SECRET|PASSWORD|KEY/)
  })

  it('is hardened', () => {
    for (const name of [
      'NoNewPrivileges',
      'ProtectHome',
      'PrivateTmp',
      'PrivateDevices',
      'ProtectClock',
      'ProtectKernelModules',
      'RestrictSUIDSGID',
    ])
      expect(settings.get(name), name).to.equal('yes')
    expect([settings.get('CapabilityBoundingSet'), settings.get('AmbientCapabilities')]).to.deep.equal(['', ''])
  })

  it('names each option that would stop the sandbox, and sets none of them', () => {
    const colliding = [
      'RestrictNamespaces',
      'SystemCallFilter',
      'ProtectKernelTunables',
      'ProtectKernelLogs',
      'ProcSubset',
      'ProtectHostname',
      'ProtectControlGroups',
      'MemoryDenyWriteExecute',
    ]
    for (const name of colliding) {
      expect(settings.has(name), name).to.equal(false)
      expect(text, name).to.match(new RegExp(`^#   ${name}`, 'm'))
    }
    expect(settings.get('RestrictAddressFamilies')?.split(' '), 'bubblewrap brings loopback up by netlink').to.include('AF_NETLINK')
    expect(settings.get('Delegate')).to.equal('memory pids cpu')
  })

  it('starts what is there, with settings the gateway takes, and waits for its calls', () => {
    const [, entry = ''] = /\/opt\/capstan\/(dist\/\S+\.js)/.exec(settings.get('ExecStart') ?? '') ?? []
    expect(existsSync(join(packageRoot(), entry)), entry).to.equal(true)
    expect(unknownVariables(text)).to.deep.equal([])
    const env = Object.fromEntries((settings.get('Environment') ?? '').split(' ').map((pair) => pair.split('='))) as Record<string, string>
    expect(complaints(env)).to.deep.equal([])
    expect(seconds(settings.get('TimeoutStopSec') ?? '')).to.be.above(30)
  })

  // Where systemd is installed its own judgement counts too; nothing else of the project needs it.
  const systemd = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find(existsSync)
  if (systemd !== undefined)
    it('systemd finds no fault in it', () => {
      const { status, stderr } = spawnSync(systemd, ['verify', join(packageRoot(), 'deploy', 'capstan.service')], {
        encoding: 'utf8',
        timeout: 8_000,
      })
      expect(stderr.split('\n').filter((line) => line.includes('capstan.service'))).to.deep.equal([])
      expect(status).to.equal(0)
    })
})
