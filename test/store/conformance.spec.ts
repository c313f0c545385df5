import { temporaryStore } from '../support/store.js'
import { storeConformance } from './conformance/store-conformance.js'

storeConformance('SQLite on a thread of its own', () => temporaryStore({ thread: 'worker' }))
storeConformance('SQLite on the calling thread', () => temporaryStore({ thread: 'same' }))
