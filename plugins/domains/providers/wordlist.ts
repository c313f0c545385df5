import { Fault, provider } from '../../../core/sdk/index.js'
import { wordlist as vendor } from '../../_vendors/wordlist.js'
import { names } from '../contract.js'
import { madeNames } from '../names/made.js'

/** Generates names from the words of the description by rules. */
export const wordlistNames = provider(names, {
  vendor,
  rank: 90,
  run: ({ description, company_name, count }) => {
    const made = madeNames({ description, company_name }, count)
    // A model can handle descriptions without any known word.
    if (made.length === 0)
      return Promise.reject(new Fault('missing', 'The description has no words that names can be made of.', { inconclusive: true }))
    return Promise.resolve({ names: made })
  },
})
