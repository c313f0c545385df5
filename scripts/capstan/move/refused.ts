/** A move that was not begun, or was undone: one sentence for the operator, who is told what to do. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}
