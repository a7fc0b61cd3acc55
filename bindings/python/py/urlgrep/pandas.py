"""The URLs in a pandas Series. Importing this module registers the accessor `urlgrep`.

    import pandas as pd
    import urlgrep.pandas

    posts["url"] = posts["body"].urlgrep.urls()
    posts.explode("url")

It needs pandas 2.2 and pyarrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from . import arrow

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._urlgrep import TableOptions
    from .arrow import ListColumns

__all__ = ["Accessor"]
__dir__ = __all__.copy


@pd.api.extensions.register_series_accessor("urlgrep")
class Accessor:
    """The methods of Series.urlgrep: they return pyarrow lists, with the index and the name of the Series."""

    def __init__(self, series: Any) -> None:
        self._series = series

    def extract(
        self, *, columns: ListColumns = None, archive: bool = False, **options: Unpack[TableOptions]
    ) -> Any:
        """Returns a list for each row: see urlgrep.arrow.extract_list."""
        lists = pa.array(arrow.extract_list(self._series, columns=columns, archive=archive, **options))
        values = pd.arrays.ArrowExtensionArray(lists)
        return pd.Series(values, index=self._series.index, name=self._series.name)

    def urls(self, *, archive: bool = False, **options: Unpack[TableOptions]) -> Any:
        """Returns the URLs of each row, as a list of strings."""
        return self.extract(columns="url", archive=archive, **options)
