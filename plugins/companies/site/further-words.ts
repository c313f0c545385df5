/** Pages of a website with facts that the home page often lacks. */
export type FurtherKind = 'about' | 'imprint' | 'contact'

/**
 * Link texts of these pages, or the last part of their address, in the most common languages of company pages: lower
 * case, without accents, with spaces for hyphens.
 */
export const FURTHER_WORDS: Readonly<Record<FurtherKind, string>> = {
  about:
    'about|about us|about the company|company|our company|the company|who we are|our story|company profile|uber uns|ueber uns|wir uber uns|unternehmen|das unternehmen|firma|' +
    'a propos|a propos de nous|qui sommes nous|entreprise|notre entreprise|notre histoire|sobre nosotros|quienes somos|empresa|la empresa|nosotros|' +
    'chi siamo|azienda|l azienda|la nostra storia|over ons|bedrijf|om oss|om os|om foretaget|om virksomheden|o nas|o firmie|o spolecnosti|sobre nos|quem somos|a empresa|' +
    'tietoa meista|yritys|meista|hakkimizda|kurumsal|о нас|о компании|компания|про нас|会社概要|会社案内|企業情報|关于我们|公司简介|關於我們|회사소개',
  imprint:
    'impressum|imprint|site notice|legal notice|company information|company details|mentions legales|aviso legal|note legali|colofon|anbieterkennzeichnung|' +
    'informacje prawne|tiraz|юридическая информация|реквизиты|特定商取引法に基づく表記',
  contact:
    'contact|contact us|contacts|get in touch|kontakt|kontaktieren sie uns|contactez nous|nous contacter|contacto|contactenos|contatti|contattaci|contato|fale conosco|' +
    'contacteer ons|kontakta oss|kontakt os|kontakty|yhteystiedot|ota yhteytta|iletisim|контакты|контакти|お問い合わせ|联系我们|聯絡我們|문의하기',
}
