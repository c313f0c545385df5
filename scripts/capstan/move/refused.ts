/** A move was not begun, or was undone; the message tells the operator what to do. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}
