/**
 * Pure functions that build requests to Wikidata's entity API and parse its replies, for providers of the vendor
 * `wikidata`, and its query service as a port.
 */
export { bestOf, qualifiersOf, statementsOf, textsOf, timesOf, type Claims, type Statement } from './statements.js'
export { commonsFile, entityOf, itemsIn, type Entity } from './entity.js'
export {
  entitiesCall,
  entitiesReply,
  idBatches,
  searchCall,
  searchReply,
  statementSearchCall,
  statementSearchReply,
  userAgent,
} from './calls.js'
export { wikidataWebsite } from './website.js'
export { newest, yearMonthOf, type ItemValue, type QuantityValue, type TextValue, type TimeValue, type Value } from './values.js'
