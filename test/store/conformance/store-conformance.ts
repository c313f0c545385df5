import { expect } from 'chai'
import type { Store } from '../../../core/store/types.js'
import type { OpenStore } from './fixture.js'
import { historyCases } from './history.js'
import { holdCases } from './holds.js'
import { idempotencyCases } from './idempotency.js'
import { postCases } from './posts.js'
import { recordCases } from './records.js'
import { sweepCases } from './sweeps.js'
import { trimCases } from './trims.js'

/** What every adapter of the storage port must do, in the same words for all of them. */
export function storeConformance(name: string, open: OpenStore): void {
  describe(`storage port: ${name}`, () => {
    let opened: { store: Store; end: () => Promise<void> }
    const fixture = {
      get store(): Store {
        return opened.store
      },
    }

    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.end())

    describe('money of a call', () => holdCases(fixture))
    describe('posted by reference', () => postCases(fixture))
    describe('sweep', () => sweepCases(fixture))
    describe('retention', () => trimCases(fixture))
    describe('idempotency', () => idempotencyCases(fixture))
    describe('history and usage', () => historyCases(fixture))
    describe('records', () => recordCases(fixture))

    it('describes itself in one line and answers a ping', async () => {
      expect(await fixture.store.describe())
        .to.be.a('string')
        .and.not.include('\n')
      await fixture.store.ping()
    })

    it('refuses work once closed, as unavailable', async () => {
      await fixture.store.close()
      const error: unknown = await fixture.store.ping().catch((thrown: unknown) => thrown)
      expect(error).to.include({ name: 'StoreUnavailable' })
    })
  })
}
