// SPDX-License-Identifier: GPL-2.0
/*
 * The AUX area of events of "tally_pdis": records as the unit wrote them. Each
 * batch is copied there from the buffer of the CPU, which has to be contiguous
 * and aligned to its size, and of which the unit owns one half while the other
 * is read.
 *
 * A batch without room is truncated: the event is disabled until its reader
 * enables it again, and records not copied are counted as lost. An area that is
 * mapped read-only has the newest records, and none is ever without room.
 */
#include <linux/irq_work.h>
#include <linux/slab.h>

#include "tally.h"

struct tally_aux {
	void **pages;
	unsigned long size;	/* a power of two */
	bool overwrite;
};

/* The pages are perf's own. */
void *tally_aux_setup(void **pages, int count, bool overwrite)
{
	struct tally_aux *area;

	if ((unsigned long)count << PAGE_SHIFT < TALLY_AUX_MIN)
		return NULL;
	area = kmalloc(sizeof(*area), GFP_KERNEL);
	if (!area)
		return NULL;
	area->pages = pages;
	area->size = (unsigned long)count << PAGE_SHIFT;
	area->overwrite = overwrite;
	return area;
}

void tally_aux_free(void *area)
{
	kfree(area);
}

/* Heads are multiples of a record, so none crosses a page. */
static void tally_aux_copy(const struct tally_aux *area, unsigned long head,
			   const struct tally_record *record, unsigned long count)
{
	for (; count; count--, record++, head += sizeof(*record)) {
		const unsigned long at = head & (area->size - 1);

		memcpy(area->pages[at >> PAGE_SHIFT] + offset_in_page(at), record, sizeof(*record));
	}
}

/* perf_event_disable_inatomic() is not exported; perf_aux_output_end() forgets CPU 0. */
static void tally_aux_disable(struct perf_event *event)
{
	event->pending_disable = 1;
	irq_work_queue(&event->pending_disable_irq);
}

/* One batch. False: not all of it had room. */
bool tally_aux_output(struct perf_event *event, const struct tally_record *record,
		      const struct tally_record *end, const struct tally_losses *losses)
{
	const unsigned long count = end - record;
	unsigned long room = 0;
	struct perf_output_handle handle;
	const struct tally_aux *area;

	local64_add(count * event->hw.last_period, &event->count);
	if (!count && !losses->collisions && !losses->dropped)
		return true;
	area = perf_aux_output_begin(&handle, event);
	if (area) {
		/* The tail is the reader's: it may be anywhere. */
		room = area->overwrite ? count : min(count, handle.size / sizeof(*record));
		tally_aux_copy(area, handle.head, record, room);
		if (area->overwrite)
			handle.head += room * sizeof(*record);
		if (room < count)
			perf_aux_output_flag(&handle, PERF_AUX_FLAG_TRUNCATED);
		if (losses->collisions)
			perf_aux_output_flag(&handle, PERF_AUX_FLAG_COLLISION);
		if (losses->dropped)
			perf_aux_output_flag(&handle, PERF_AUX_FLAG_PARTIAL);
		/* The records are visible before the head. */
		smp_wmb();
		perf_aux_output_end(&handle, room * sizeof(*record));
	}
	if (room == count)
		return true;
	atomic64_add(count - room, &event->lost_samples);
	tally_aux_disable(event);
	return false;
}
