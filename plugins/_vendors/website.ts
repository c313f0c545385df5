import { vendor } from '../../core/sdk/index.js'

/** The website of the company itself, read by the gateway through the guard. */
export const website = vendor({ id: 'website', title: 'The company’s own website (local)' })
