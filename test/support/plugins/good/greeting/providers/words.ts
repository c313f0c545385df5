import { provider, vendor } from '../../../../../../core/sdk/index.js'
import { greet } from '../contract.js'

const words = vendor({ id: 'words', title: 'Words' })

export const say = provider(greet, {
  vendor: words,
  run: ({ name }) => Promise.resolve(name === 'nobody' ? null : { text: `Hello, ${name}.` }),
})
