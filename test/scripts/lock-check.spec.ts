import { expect } from 'chai'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { fakeProject, type FakeProject } from '../support/fake-project.js'

type LockCheck = { lockFaults: (root: string) => string[] }

describe('scripts/lock-check.mjs', () => {
  let project: FakeProject
  let faults: (own: object, lock: object) => string[]
  beforeEach(async () => {
    project = fakeProject()
    const { lockFaults } = (await import(join(packageRoot(), 'scripts', 'lock-check.mjs'))) as LockCheck
    faults = (own, lock) => {
      project.write('package.json', JSON.stringify({ dependencies: own }))
      project.write('package-lock.json', JSON.stringify(lock))
      return lockFaults(project.folder)
    }
  })
  afterEach(() => project.done())

  const lock = (version: string, entry: object = { version, integrity: 'sha512-x' }): object => ({
    packages: { '': { dependencies: { koa: version } }, 'node_modules/koa': entry },
  })

  it('finds nothing wrong with this repository', async () => {
    const { lockFaults } = (await import(join(packageRoot(), 'scripts', 'lock-check.mjs'))) as LockCheck
    expect(lockFaults(packageRoot())).to.deep.equal([])
  })

  it('finds a lock file that lags behind, a loose version, a missing hash and a registry address', () => {
    expect(faults({ koa: '3.3.0' }, lock('3.3.0'))).to.deep.equal([])
    expect(faults({ koa: '3.3.1' }, lock('3.3.0')).join()).to.contain('dependencies.koa is 3.3.1')
    expect(faults({ koa: '^3.3.0' }, lock('^3.3.0')).join()).to.contain('pin an exact version')
    expect(faults({ koa: '3.3.0' }, lock('3.3.0', { version: '3.3.0' })).join()).to.contain('no integrity')
    expect(
      faults({ koa: '3.3.0' }, lock('3.3.0', { version: '3.3.0', integrity: 'x', resolved: 'https://registry.example.com/koa' })).join(),
    ).to.contain('names a registry')
  })
})
