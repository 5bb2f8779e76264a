"""Names of months and weekdays, so that a date written in words is known as one. Eleven languages of the Latin alphabet."""

from __future__ import annotations

import regex

MONTHS = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec "
    "januar jänner februar märz mai juni juli oktober dezember mär okt dez "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre janv févr avr juil déc "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ene abr ago dic "
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug set ott "
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro fev out "
    "januari februari maart mei augustus mrt "
    "januari mars augusti maj marts "
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta "
    "heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta "
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"
)
WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so "
    "lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim "
    "lunes martes miércoles jueves viernes sábado domingo mié jue vie sáb dom "
    "lunedì martedì mercoledì giovedì venerdì sabato domenica gio sab "
    "segunda terça quarta quinta sexta maandag dinsdag woensdag donderdag vrijdag zaterdag zondag "
    "måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag"
)
BETWEEN = "of de del der den the a le el d em do da den at um à"
"""Words that stand inside a date."""


def _any(words: str) -> str:
    """A pattern for any of the words, long ones first, with a point behind where it is cut short ("Sept.")."""
    return "(?:" + "|".join(sorted({regex.escape(word) for word in words.split()}, key=lambda w: (-len(w), w))) + r")\.?"


MONTH = _any(MONTHS)
WEEKDAY = _any(WEEKDAYS)
JOINED = _any(BETWEEN)
