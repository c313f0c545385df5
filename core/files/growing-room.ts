import type { ArtifactStore } from '../store/types.js'
import { TooLarge } from './blobs.js'

const FIRST_STEP = 8 * 1024 * 1024
const LARGEST_STEP = 64 * 1024 * 1024
/** A step that does not fit is retried smaller by this factor, down to the bytes that have arrived. */
const SMALLER = 4

export interface GrowingRoom {
  readonly records: Pick<ArtifactStore, 'grow'>
  readonly id: string
  readonly account: string
  readonly quota: number
  /** Bytes already reserved. */
  readonly reserved: number
  /** The largest stream, in bytes. */
  readonly most: number
  readonly now: () => number
  readonly noRoom: () => Error
}

/**
 * The chunks of a stream of unknown length, each passed on once quota is reserved for it: 8 MiB first, then steps that double up to 64 MiB.
 * Throws TooLarge above the largest stream, and the error of `noRoom` when the quota is used up.
 */
export async function* withRoom(data: AsyncIterable<Uint8Array>, room: GrowingRoom): AsyncGenerator<Uint8Array> {
  let [size, reserved, step, refused] = [0, room.reserved, FIRST_STEP, false]
  for await (const chunk of data) {
    size += chunk.length
    if (size > room.most) throw new TooLarge(`the file is larger than ${room.most} bytes`)
    if (size > reserved) {
      const taken = await grow(room, size - reserved, Math.min(step, room.most - reserved))
      refused ||= taken < step
      reserved += taken
      step = refused ? taken : Math.min(step * 2, LARGEST_STEP)
    }
    yield chunk
  }
}

/** Reserves `wanted` bytes, or fewer when they do not fit, but at least `needed`; returns how many. */
async function grow({ records, noRoom, now, ...room }: GrowingRoom, needed: number, wanted: number): Promise<number> {
  const { id, account, quota } = room
  for (let bytes = Math.max(needed, wanted); ; bytes = Math.max(needed, Math.floor(bytes / SMALLER))) {
    if (await records.grow({ id, account, bytes, quota, now: now() })) return bytes
    if (bytes === needed) throw noRoom()
  }
}
