import { expect } from 'chai'
import type { LoadedCapability } from '../../core/loader/types.js'
import { bundledCapabilities, lacking, offered, question, sentencesOf, withoutDefaults, type Meant } from '../../test/support/playground.js'
import { Catalogue } from './catalogue.js'
import type { Proposal } from './contract.js'
import { matchedProposal } from './matched.js'

/** Required shares of correct sentences, without a model. */
const [CAPABILITY, PARAMETERS] = [0.95, 0.9]

describe('the playground: five hundred sentences, without a model', () => {
  let capabilities: ReadonlyMap<string, LoadedCapability>
  let propose: (message: string) => Proposal
  before(async () => {
    capabilities = await bundledCapabilities()
    const catalogue = new Catalogue(offered(capabilities))
    propose = (message) => matchedProposal(question(message), catalogue)
  })

  /** The wrong part of a proposal: the capability, its parameters, or nothing. */
  function faultOf({ say, capability, params, missing }: Meant): 'capability' | 'params' | null {
    const found = propose(say)
    if (found.capability !== capability) return 'capability'
    const loaded = capability === null ? undefined : capabilities.get(capability)
    if (loaded === undefined) return null
    const plain = (given: Readonly<Record<string, unknown>>): string =>
      JSON.stringify(Object.entries(withoutDefaults(loaded, given)).sort(([one], [other]) => (one < other ? -1 : 1)))
    const isSame = plain(found.params) === plain(params) && lacking(loaded, found.params).join() === [...missing].sort().join()
    return isSame ? null : 'params'
  }

  for (const name of ['first', 'second', 'third', 'fourth', 'fifth'] as const)
    it(`of the ${name} hundred the capability of 95 % and all parameters of 90 % are right`, () => {
      const sentences = sentencesOf(name, capabilities)
      const faults = sentences.flatMap((meant) => {
        const fault = faultOf(meant)
        return fault === null ? [] : [{ fault, say: meant.say, found: propose(meant.say) }]
      })
      const wrong = faults.filter(({ fault }) => fault === 'capability').length
      const shown = [`${wrong} and ${faults.length} of ${sentences.length}`, ...faults.map((fault) => JSON.stringify(fault))].join('\n')
      expect(1 - wrong / sentences.length, shown).to.be.at.least(CAPABILITY)
      expect(1 - faults.length / sentences.length, shown).to.be.at.least(PARAMETERS)
    })

  it('a sentence takes at most 20 ms of the processor, also one of 4,000 characters that is made to be slow', () => {
    const hostile = [
      'find '.repeat(800),
      '"'.repeat(4_000),
      "'a ".repeat(1_333),
      '`'.repeat(3_999),
      '.a'.repeat(2_000),
      'a.'.repeat(2_000),
      '+1 '.repeat(1_333),
      '+1-1-'.repeat(800),
      'extract from '.repeat(300),
      'Aa Bb '.repeat(660),
      ': '.repeat(2_000),
      'https://'.repeat(500),
      'a@'.repeat(2_000),
      '12x12 '.repeat(660),
    ]
    for (const message of [...hostile, ...sentencesOf('first', capabilities).map(({ say }) => say)]) {
      propose(message)
      const times = [1, 2, 3].map(() => {
        const begun = process.cpuUsage()
        propose(message)
        const { user, system } = process.cpuUsage(begun)
        return (user + system) / 1_000
      })
      expect(Math.min(...times), message.slice(0, 40)).to.be.below(20)
    }
  })
})
