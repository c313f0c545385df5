/** The store cannot be used as it is; the message is one line for the operator. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}
