export type Language = 'en' | 'us' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl' | 'ch'

/** What is printed in a language; several wordings are parted by bars. */
export interface Wording {
  readonly currency: string
  readonly rates: readonly number[]
  readonly title: string
  readonly credit: string
  readonly number: string
  readonly date: string
  readonly due: string
  readonly customer: string
  readonly order: string
  readonly account: string
  readonly position: string
  readonly description: string
  readonly quantity: string
  readonly price: string
  readonly rate: string
  readonly amount: string
  readonly subtotal: string
  readonly tax: string
  readonly total: string
  readonly paid: string
  readonly open: string
  readonly discount: string
  readonly carried: string
  readonly vatId: string
  readonly phone: string
  readonly thanks: string
  readonly units: string
  readonly dates: string
  readonly numbers: string
  readonly months: string
  readonly companies: string
  readonly streets: string
  readonly towns: string
  readonly people: string
  readonly goods: string
  readonly more: string
}
