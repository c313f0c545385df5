import { expect } from 'chai'
import type { BlobStore } from '../../../core/files/blobs.js'
import { placesOf } from '../../../core/diagnosis/readiness.js'
import type { RedisLink, RedisState } from '../../../core/redis/types.js'
import { temporaryStore } from '../../support/store.js'

describe('where a gateway keeps things', () => {
  const blobs = { describe: () => 'bucket files at https://s3.example.com, region eu-west-1' } as BlobStore
  const limits = async (state: RedisState | null): Promise<string> => {
    const { store, end } = await temporaryStore()
    const redis = state === null ? null : ({ state: () => state } as RedisLink)
    const places = await placesOf({ store, redis, blobs })
    expect(places.ledger).to.equal(await store.describe())
    expect(places.files).to.equal(blobs.describe())
    await end()
    return places.limits
  }

  it('limits in memory are no other gateway’s', async () => {
    expect(await limits(null)).to.equal('in the memory of this process, not shared')
  })

  it('limits in Redis are shared, and a share where it does not answer', async () => {
    expect(await limits({ shared: true, detail: 'answers' })).to.equal('shared between replicas; Redis answers')
    expect(await limits({ shared: false, detail: 'does not answer (hung); limits are this replica’s share' })).to.equal(
      'Redis does not answer (hung); limits are this replica’s share',
    )
  })
})
