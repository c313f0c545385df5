/**
 * Popularity of an extension, from 100 down, in steps. An estimate, based on registries' usual rankings by number of
 * names and on use among new companies; not a measurement. An extension in no step has the value of its kind.
 */
export const STEPS: readonly (readonly [number, string])[] = [
  [100, 'com'],
  [95, 'net org'],
  [92, 'io ai co'],
  [90, 'app dev'],
  [86, 'de uk co.uk cn xyz info online shop'],
  [82, 'store me us eu fr nl ca tech site biz top'],
  [78, 'au com.au in br com.br it es pl ch at be se jp gg tv so'],
  [74, 'cloud club pro live blog design agency studio digital one vip website space'],
  [70, 'dk no fi cz ie nz co.nz mx com.mx pt ro hu gr za co.za kr co.in to sh fm cc'],
  [66, 'group media solutions world life team work works page link email network systems software company global services'],
  [62, 'health fitness care clinic academy education school training finance money capital fund ventures consulting marketing'],
  [58, 'news today art photography photo gallery video film music games game fun social community events chat bot'],
  [54, 'travel tours food cafe coffee restaurant bar kitchen wine pizza beer fashion boutique style beauty jewelry shoes'],
  [50, 'homes house land properties rent auto car cars bike energy solar earth eco green build construction engineering'],
  [46, 'tools zone center city guru expert ninja rocks cool best guide tips wiki how click run fit yoga'],
  [42, 'id hk sg tw my th ph vn tr com.tr ar com.ar cl pe il ua by kz ae sa is lu sk si hr bg rs lt lv ee li'],
  [38, 'london nyc berlin paris tokyo amsterdam hamburg koeln wien africa asia lat scot wales'],
  [34, 'inc llc ltd gmbh law legal lawyer dental dentist doctor vet tax accountants insurance loans mortgage credit'],
  [30, 'market sale deals gifts toys pet dog garden flowers furniture wedding love family kids baby church'],
]

/** For extensions in no step. */
export const BY_KIND = { open: 20, country: 15, internationalised: 5, restricted: 5, brand: 0 } as const
