import type { Vocabulary } from '../vocabulary.js'

/** Polish invoice vocabulary. */
export const polish: Vocabulary = {
  labels: {
    number:
      'numer|numer faktury|nr faktury|faktura nr|faktura vat nr|faktura numer|faktura vat|faktura|numer dokumentu|nr dokumentu|faktura korygujaca nr|faktura korygujaca|korekta nr|paragon nr|nr paragonu|rachunek nr|faktura no|nr rachunku faktury|faktura proforma nr|rachunek|nr fv|fv nr',
    date: 'data wystawienia|data wystawienia faktury|data faktury|data|wystawiono|wystawiono dnia|wystawiona dnia|data dokumentu|z dnia|data wyst|wystawiono w dniu|miejsce i data wystawienia',
    due: 'termin platnosci|termin zaplaty|data platnosci|platne do|termin|do zaplaty do|zaplata do|zaplacic do|termin plat|data zaplaty|termin wymagalnosci|zaplacono do|platnosc do|prosimy o wplate do',
    terms: 'warunki platnosci|sposob platnosci|forma platnosci|sposob zaplaty|forma zaplaty|metoda platnosci',
    supplier: 'sprzedawca|wystawca|dostawca|sprzedajacy|dane sprzedawcy|uslugodawca|od|wykonawca',
    customer: 'nabywca|kupujacy|odbiorca|klient|dane nabywcy|faktura dla|zamawiajacy|platnik|dla|adres do faktury|uslugobiorca',
    shipTo: 'adres dostawy|adres wysylki|miejsce dostawy|dostawa do|adres odbiorcy',
    currency: 'waluta|kwoty w|wartosci w|ceny w|wszystkie kwoty w',
    other:
      'numer zamowienia|nr zamowienia|zamowienie|zamowienie nr|numer klienta|nr klienta|kod klienta|nip|nip nabywcy|nip sprzedawcy|regon|krs|bdo|telefon|tel|fax|faks|kom|email|e mail|www|strona|referencja|nr ref|iban|bic|swift|bank|konto|nr konta|numer konta|rachunek bankowy|nr rachunku|numer rachunku|numer rachunku bankowego|wz|nr wz|umowa|nr umowy|umowa nr|projekt|strona nr|kasa|stolik|oferta|osoba kontaktowa|faktura pierwotna|faktura korygowana|do faktury|do faktury nr|dotyczy faktury|kasjer|tytulem|tytul|kapital zakladowy|uwagi|miejsce wystawienia|konto bankowe|mpp',
    otherDate:
      'data sprzedazy|data dostawy|data zamowienia|data wykonania uslugi|okres|okres rozliczeniowy|data dostawy wykonania uslugi|data wydania|data zakonczenia dostawy|data wykonania|data otrzymania|data zakonczenia|data dokonania dostawy',
    subtotal:
      'razem netto|suma netto|wartosc netto|kwota netto|netto|netto razem|lacznie netto|wartosc netto razem|suma|podsuma|suma wartosci netto|netto ogolem|ogolem netto|razem wartosc netto|w sumie netto|suma czesciowa',
    tax: 'vat|podatek vat|kwota vat|razem vat|suma vat|podatek|kwota podatku|podatek vat razem|w tym vat|wartosc vat|ptu|suma ptu|kwota vat razem|lacznie vat|podatek naliczony|kwota podatku vat|suma podatku|podatek od towarow i uslug|vat razem|w tym podatek vat|kwota ptu',
    taxBase: 'stawka vat|stawka|podstawa|wartosc netto wg stawek|podstawa opodatkowania|wg stawki|w tym|sprzedaz opodatkowana',
    total:
      'razem|razem brutto|suma brutto|wartosc brutto|lacznie|kwota brutto|ogolem|brutto|do zaplaty razem|razem do zaplaty|suma pln|lacznie brutto|wartosc brutto razem|suma do zaplaty|ogolem brutto|lacznie do zaplaty|razem pln|brutto razem|kwota ogolem|wartosc faktury|naleznosc ogolem|razem wartosc brutto|kwota do zaplaty razem',
    payable:
      'do zaplaty|kwota do zaplaty|pozostalo do zaplaty|pozostaje do zaplaty|naleznosc|saldo|do zaplaty pozostalo|pozostalo|kwota nalezna|do zapl|pozostala kwota|reszta do zaplaty',
    prepaid:
      'zaliczka|zaplacono|wplacono|przedplata|oplacono|zaplacono dotychczas|kwota zaplacona|zaliczki|wplata|wplacona zaliczka|zaplacone|otrzymana zaliczka|rozliczona zaliczka|juz zaplacono|otrzymano|zaliczka wplacona',
    discount: 'rabat|upust|znizka|opust|suma rabatow|kwota rabatu|rabat stalego klienta|udzielony rabat|bonifikata|obnizka|kupon',
    shipping:
      'wysylka|dostawa|koszt wysylki|transport|koszt dostawy|koszty wysylki|koszty dostawy|koszty transportu|napiwek|kaucja|kaucja za palety|oplata serwisowa|oplata|ubezpieczenie|doplata|koszt transportu',
    rounding: 'zaokraglenie',
    carried: 'do przeniesienia|z przeniesienia|przeniesienie|suma strony|razem strona|cdn',
    withheld: 'potracenie|kwota potracona|zatrzymana kaucja',
  },
  headings: {
    position: 'lp|l p|poz|nr|l.p',
    code: 'kod|symbol|indeks|pkwiu|kod towaru|cn|gtu|pkwiu cn|kod pkwiu|nr kat',
    description:
      'nazwa|opis|nazwa towaru|nazwa towaru lub uslugi|nazwa uslugi|towar|usluga|nazwa towaru uslugi|towar usluga|przedmiot|nazwa towaru i uslugi|nazwa produktu|produkt|nazwa i opis|nazwa artykulu|wyszczegolnienie|opis uslugi|nazwa pozycji|towar lub usluga|opis towaru',
    quantity: 'ilosc|il|szt|liczba|ilosc szt|godziny|liczba godzin|il.',
    unit: 'jm|j m|jedn|jednostka|miara|jedn miary|j.m|jednostka miary',
    price:
      'cena jednostkowa|cena|cena netto|cena jedn|cena jedn netto|cena jednostkowa netto|stawka godzinowa|cena j|cena szt|cena za szt|cena jm|cena netto szt|cena jednost',
    grossPrice: 'cena brutto|cena jednostkowa brutto|cena jedn brutto',
    discount: 'rabat|upust|rabat %|znizka',
    rate: 'vat|stawka vat|stawka|vat %|st vat|stawka vat %|podatek|ptu|stawka podatku|% vat|stawka %|st vat %',
    tax: 'kwota vat|wartosc vat|podatek vat|kwota podatku',
    net: 'wartosc netto|netto|kwota netto|wart netto|razem netto|suma netto|wartosc sprzedazy netto',
    gross: 'wartosc brutto|brutto|kwota brutto|wart brutto|razem brutto|suma brutto|wartosc sprzedazy brutto',
    amount: 'wartosc|kwota|razem|suma|cena razem|wartosc razem|lacznie|total|cena calkowita',
    date: 'data|dzien',
    skip: 'waga|kolor|partia|rozmiar|nr partii|pochodzenie|uwagi',
  },
  months:
    'stycznia styczen sty|lutego luty lut|marca marzec mar|kwietnia kwiecien kwi|maja maj|czerwca czerwiec cze|lipca lipiec lip|sierpnia sierpien sie|wrzesnia wrzesien wrz|pazdziernika pazdziernik paz|listopada listopad lis|grudnia grudzien gru',
  common: 'i|w|na|do|dla|za|z|dni|dziekujemy|oraz|ul|prosimy|przelew|slownie|od|jest|spolka',
}
