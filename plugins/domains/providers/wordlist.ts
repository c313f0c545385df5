import { provider } from '../../../core/sdk/index.js'
import { wordlist as vendor } from '../../_vendors/wordlist.js'
import { names } from '../contract.js'
import { madeNames } from '../names/made.js'

/** Names by rules, out of the words of the description. */
export const wordlistNames = provider(names, {
  vendor,
  rank: 90,
  run: ({ description, company_name, count }) => {
    const made = madeNames({ description, company_name }, count)
    return Promise.resolve(made.length === 0 ? null : { names: made })
  },
})
