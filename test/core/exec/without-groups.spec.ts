import { expect } from 'chai'
import { groupsAt } from '../../../core/exec/cgroup.js'
import { Unavailable } from '../../../core/problems/errors.js'
import { needs, openSandbox, StillClock } from '../../support/exec-sandbox.js'

const groups = groupsAt({ version: null, folders: new Map() })

describe('core/exec without control groups', function () {
  this.timeout(40_000)

  it('refuses programs of callers while more than one account is enabled, and names the setting', async function () {
    needs(this, 'bwrap')
    const clock = new StillClock()
    let enabled = 1
    let counts = 0
    const enabledAccounts = (): Promise<number> => {
      counts += 1
      return Promise.resolve(enabled)
    }
    const box = await openSandbox({ groups, clock, withoutGroups: 'one-account', enabledAccounts })
    try {
      expect((await box.run('echo', ['one'])).out).to.equal('one\n')
      enabled = 2
      expect((await box.run('echo', ['within the second'])).code).to.equal(0)
      expect(counts).to.equal(1)
      expect(await box.sandbox.refusal(false), 'the latest for the operator').to.include('sandbox.without_groups')
      clock.pass(1000)
      const refused = await box.run('echo', ['two']).catch((error: unknown) => error)
      expect(refused).to.be.instanceOf(Unavailable)
      expect(String(refused)).to.include('sandbox.without_groups')
      expect(await box.sandbox.refusal(false)).to.include('sandbox.without_groups')
      enabled = 1
      clock.pass(1000)
      expect((await box.run('echo', ['one'])).out).to.equal('one\n')
    } finally {
      await box.close()
    }
  })

  it('refuses a tool that bounds no memory while more than one account is enabled, whatever holds that of other programs', async function () {
    needs(this, 'bwrap')
    let enabled = 2
    const clock = new StillClock()
    const box = await openSandbox({ clock, withoutGroups: 'one-account', enabledAccounts: () => Promise.resolve(enabled) })
    try {
      const refused = await box.run('echo', ['two'], { isolation: 'external', memoryUnbounded: true }).catch((error: unknown) => error)
      expect(refused).to.be.instanceOf(Unavailable)
      expect((await box.run('echo', ['held'], { isolation: 'external' })).out).to.equal('held\n')
      enabled = 1
      clock.pass(1000)
      expect((await box.run('echo', ['one'], { isolation: 'external', memoryUnbounded: true })).out).to.equal('one\n')
    } finally {
      await box.close()
    }
  })

  it('runs them for any number of accounts when allowed, and says that memory is not held', async function () {
    needs(this, 'bwrap', 'bash')
    const box = await openSandbox({ groups, withoutGroups: 'allow', enabledAccounts: () => Promise.resolve(2) })
    try {
      expect((await box.run('bash', ['-c', 'ulimit -n'])).out).to.equal('256\n')
      const { live, detail } = await box.sandbox.status()
      expect(live).to.equal(true)
      expect(detail).to.include('Delegate=yes').and.include('sandbox.without_groups')
    } finally {
      await box.close()
    }
  })
})
