import { expect } from 'chai'
import { resourceHosts } from '../../../core/dispatch/resources.js'
import type { Sandbox } from '../../../core/exec/types.js'
import { settle } from '../../support/unit.js'

describe('the programs of a resource', () => {
  it('are killed when it is closed, which waits for their end; those that ended before are forgotten', async () => {
    const killed: string[] = []
    const ends = new Map<string, () => void>()
    const start = (name: string) => {
      const ended = new Promise<void>((resolve) => ends.set(name, resolve))
      return Promise.resolve({ ended, kill: () => (killed.push(name), ends.get(name)?.()) })
    }
    const { host, cleanUp } = resourceHosts({ sandbox: { start } as unknown as Sandbox, log: () => undefined })('engine', {})
    await host.start('first', [])
    await host.start('second', [])
    ends.get('first')?.()
    await settle()
    await cleanUp()
    expect(killed).to.deep.equal(['second'])
  })
})
