import type { ArtifactStore } from '../store/types.js'
import { TooLarge } from './blobs.js'

const FIRST_STEP = 8 * 1024 * 1024
const LARGEST_STEP = 64 * 1024 * 1024
/** A step that has no room is tried again smaller by this factor, down to the bytes that are there. */
const SMALLER = 4

export interface GrowingRoom {
  readonly records: Pick<ArtifactStore, 'grow'>
  readonly id: string
  readonly account: string
  readonly quota: number
  /** Bytes that are reserved already. */
  readonly reserved: number
  /** The largest stream, in bytes. */
  readonly most: number
  readonly now: () => number
  readonly noRoom: () => Error
}

/**
 * The chunks of a stream of unknown length, each handed on once the account has room for it: 8 MiB at first, then steps that double up to 64 MiB.
 * Throws TooLarge past the largest stream, and the error of `noRoom` when the quota is used up.
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

/** Reserves `wanted` bytes, or fewer when there is no room for them, but never fewer than `needed`; answers how many. */
async function grow({ records, noRoom, now, ...room }: GrowingRoom, needed: number, wanted: number): Promise<number> {
  const { id, account, quota } = room
  for (let bytes = Math.max(needed, wanted); ; bytes = Math.max(needed, Math.floor(bytes / SMALLER))) {
    if (await records.grow({ id, account, bytes, quota, now: now() })) return bytes
    if (bytes === needed) throw noRoom()
  }
}
