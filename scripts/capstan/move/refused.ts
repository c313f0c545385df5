/** A move was not begun, or was undone; the message says what the operator can do. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}
