import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withSpace, jobFolder } from '../../../core/exec/job-folder.js'
import { Problem } from '../../../core/problems/problem.js'
import { errorOf } from '../../support/unit.js'
import { skip } from '../../support/needs.js'

describe('core/job-folder', () => {
  it('a full disk of temporary files is a lack of the gateway, and no fault of a provider', async function () {
    if (process.geteuid?.() !== 0) skip(this, 'only root can do what this test does')
    const full = mkdtempSync(join(tmpdir(), 'capstan-full-test-'))
    const before = process.env['TMPDIR']
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,nr_inodes=2', 'tmpfs', full], { stdio: 'ignore' })
    } catch {
      rmdirSync(full)
      skip(this, 'this machine lets nobody mount a small tmpfs')
    }
    try {
      writeFileSync(join(full, 'last'), '')
      process.env['TMPDIR'] = full
      const error = await errorOf(jobFolder())
      expect(error).to.be.instanceOf(Problem).and.include({ slug: 'overloaded' })
      expect(error.message).to.include('TMPDIR')
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      execFileSync('umount', [full])
      rmdirSync(full)
    }
  })

  it('passes what says nothing of this machine on as it is', async () => {
    const refused = Object.assign(new Error('no'), { code: 'EACCES' })
    expect(await errorOf(withSpace(() => Promise.reject(refused)))).to.equal(refused)
    for (const code of ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])
      expect(await errorOf(withSpace(() => Promise.reject(Object.assign(new Error('no'), { code }))))).to.include({ slug: 'overloaded' })
  })
})
