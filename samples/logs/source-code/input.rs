            debug!(
                "WRITE too large ({} > {}): rest is passed over",
                request.count,
                unsafe { MOST_BYTES },
            );
            debug!(
                "READ too large ({} > {}): rest is passed over",
                answer.count,
                unsafe { MOST_BYTES },
            );
